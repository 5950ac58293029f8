"""OPG703: the library loads on fewer releases of PyTorch."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, breakage
from opgen.breaking.category import Category
from opgen.breaking.surface import Surface
from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example

_REST = " ops:\n   - func: scale(Tensor x) -> Tensor\n"

CODE = Code(
    id="OPG703",
    name="fewer-releases",
    severity=Severity.WARNING,
    summary="The library no longer loads on a PyTorch release that it used to support.",
    why=(
        "`torch` names the oldest release that the package and its binary load on. A classic-ABI binary loads only "
        "on the release that it was built with."
    ),
    remedy="keep `torch` and `abi`, or say so in the notes of the release",
    bad=Example(' opgen: 1\n namespace: mylib\n-torch: ">=2.10"\n+torch: ">=2.12"\n' + _REST, "ops.yaml.diff"),
    good=Example(' opgen: 1\n namespace: mylib\n-torch: ">=2.12"\n+torch: ">=2.10"\n' + _REST, "ops.yaml.diff"),
)
_HIT = (Category.PYTHON, Category.CXX)


def check(old: Surface, new: Surface) -> Iterator[Breakage]:
    """Yield a raised floor, and a binary that became classic."""
    if old.library is None or new.library is None:
        return
    before, spec = old.library.spec, new.library.spec
    if spec.torch > before.torch:
        was, now = (".".join(map(str, each.torch)) for each in (before, spec))
        place = spec.keys.get("torch", spec.namespace.locate())
        message = f"the oldest torch was {was}, and is {now}"
        yield breakage(CODE, None, message, _HIT, place, before=before.keys.get("torch"))
    if not _has_classic(old) and _has_classic(new):
        place = next(op.spec.keys.get("abi", op.location) for op in new.ops.values() if op.abi == "classic")
        message = "ops of the classic ABI came in: their binary loads only on the torch that it is built with"
        yield breakage(CODE, None, message, _HIT, spec.keys.get("abi", place))


def _has_classic(side: Surface) -> bool:
    return any(op.abi == "classic" and op.is_compiled for op in side.ops.values())
