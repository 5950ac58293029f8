"""OPG761: an op no longer runs on a backend."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.readers.registrations import is_backend
from opgen.rules.rule import listed

CODE = Code(
    id="OPG761",
    name="fewer-backends",
    severity=Severity.ERROR,
    summary="An op no longer has a kernel for a backend.",
    why="Calls with tensors of that backend raise `NotImplementedError`. A composite kernel serves every backend.",
    remedy="keep the kernel",
    bad=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "-    dispatch: {CPU: cpp, CUDA: cuda}",
        "+    dispatch: {CPU: cpp}",
    ),
    good=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "-    dispatch: {CPU: cpp}",
        "+    dispatch: {CPU: cpp, CUDA: cuda}",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield ops of which a kernel is gone, as far as the kernels of both sides are known."""
    old, new = (
        _backends(side.backends.get(op.qualified_name))
        for side, op in ((pair.old_side, pair.old), (pair.new_side, pair.new))
    )
    lost = sorted(old - new)
    if not lost or not new or any(map(_is_composite, new)):
        return
    message = f"there is no kernel for {listed(lost)} any more"
    if any(map(_is_composite, lost)):
        message = f"a composite kernel served every backend, now there are kernels for {listed(sorted(new))} only"
    place, before = (op.spec.keys.get("dispatch", op.location) for op in (pair.new, pair.old))
    yield changed(CODE, pair, message, [Category.SEMANTIC], place, before)


def _is_composite(key: str) -> bool:
    return key.startswith("Composite")


def _backends(keys: frozenset[str] | None) -> frozenset[str]:
    return frozenset(key for key in keys or () if is_backend(key))
