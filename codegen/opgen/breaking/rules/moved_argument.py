"""OPG712: arguments stand in another order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.rules.rule import listed
from opgen.schema.nodes import Argument

CODE = Code(
    id="OPG712",
    name="moved-argument",
    severity=Severity.ERROR,
    summary="Arguments are in a different order.",
    why=(
        "A call by position passes its values to the wrong arguments, without an error if the types agree. C++ and "
        "saved graphs refer to arguments by position, including keyword-only ones. Source: "
        "`isBackwardCompatibleWith` in `aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="keep the order; append what is new",
    bad=diff(
        "-  - func: scale(Tensor x, float by, float shift) -> Tensor",
        "+  - func: scale(Tensor x, float shift, float by) -> Tensor",
    ),
    good=diff(
        "-  - func: scale(Tensor x, float by, float shift) -> Tensor",
        "+  - func: scale(Tensor x, float by, float shift, float eps=0.0) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield one finding an op, at the first argument that moved."""
    before = [new for _, new in pair.matched]
    now = sorted(before, key=pair.new.schema.arguments.index)
    if before == now:
        return
    by_position = _positional([new for old, new in pair.matched if not old.kwarg_only]) != _positional(now)
    hit = [Category.EXPORT, *([Category.PYTHON] if by_position else [])]
    moved = next(new for was, new in zip(before, now, strict=True) if was.name != new.name)
    order = listed(argument.name for argument in before)
    yield changed(CODE, pair, f"the arguments stood in the order {order}", hit, moved.span, pair.old.schema.span)


def _positional(arguments: Sequence[Argument]) -> list[str]:
    return [argument.name for argument in arguments if not argument.kwarg_only]
