"""OPG701: the hidden form of an op that exported graphs hold is gone."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG701",
    name="removed-twin",
    severity=Severity.ERROR,
    summary="An op no longer has the hidden form that exported graphs call instead of it.",
    why=(
        "PyTorch functionalises ops that return nothing, so the package defines `_f__write` for an in-place `f_` and "
        "`_f_out_write` for `f.out`, and exported graphs contain these names."
    ),
    remedy="keep its contract, or export the graphs anew",
    bad=diff(
        "   - func: scale_(Tensor(a!) x, float by) -> Tensor(a!)",
        "+    registered: csrc/ops.cpp",
    ),
    good=diff(
        "   - func: scale_(Tensor(a!) x, float by) -> Tensor(a!)",
        "+    doc: Scales in place.",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield ops that were generated with a twin and are without it."""
    before, now = (
        op.twin if side.is_declared and op.registered is None else None
        for op, side in ((pair.old, pair.old_side), (pair.new, pair.new_side))
    )
    if before is not None and before != now:
        message = f"exported graphs that call '{pair.old.qualified_name}' hold '{before}', which is no longer defined"
        yield changed(CODE, pair, message, [Category.EXPORT])
