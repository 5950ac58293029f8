"""OPG759: autocast, vmap or the compiler treat an op in another way."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.model.op import Op

CODE = Code(
    id="OPG759",
    name="changed-transforms",
    severity=Severity.ERROR,
    summary="An op behaves differently under autocast, `torch.vmap` or `torch.compile`.",
    why=(
        "Another autocast policy computes in a different dtype. Without `vmap` a mutable op raises under "
        "`torch.vmap`. With `fake: none` it can't be compiled. Without `side_effects` the compiler drops calls whose "
        "results nobody uses."
    ),
    remedy="keep the key",
    bad=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "-    autocast: float32",
    ),
    good=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "+    side_effects: true",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each of the four that was changed for the worse."""
    old, new = pair.old, pair.new
    for key, is_worse, message in (
        ("autocast", _policy(old) != _policy(new), f"autocast was {_policy(old)}, and is {_policy(new)}"),
        ("vmap", old.spec.vmap is not None and new.spec.vmap is None, "the rule for `torch.vmap` is gone"),
        ("fake", old.fake != "none" and new.fake == "none", "the op can no longer be compiled"),
        (
            "side_effects",
            old.spec.side_effects and not new.spec.side_effects,
            "the compiler may drop calls whose results nobody uses",
        ),
    ):
        if is_worse:
            place, before = new.spec.keys.get(key), old.spec.keys.get(key)
            yield changed(CODE, pair, message, [Category.SEMANTIC], place, before)


def _policy(op: Op) -> str:
    return op.spec.autocast.value if op.spec.autocast else "none"
