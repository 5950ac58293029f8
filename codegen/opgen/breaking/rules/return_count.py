"""OPG720: an op returns more or fewer values."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG720",
    name="return-count",
    severity=Severity.ERROR,
    summary="An op returns more or fewer values.",
    why=(
        "One value is returned as it is, several as a tuple, none as None, so every caller that uses the result has "
        "to change, and saved graphs can't be loaded. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="give the new form another overload name",
    bad=diff(
        "-  - func: top(Tensor x) -> Tensor",
        "+  - func: top(Tensor x) -> (Tensor, Tensor)",
    ),
    good=diff(
        "   - func: top(Tensor x) -> Tensor",
        "+  - func: top.indices(Tensor x) -> (Tensor, Tensor)",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield another number of returns."""
    was, now = len(pair.old.schema.returns), len(pair.new.schema.returns)
    if was != now:
        message = f"the op returned {was or 'no'} {'value' if was == 1 else 'values'}, and returns {now or 'none'}"
        old, new = pair.old.schema.returns_span, pair.new.schema.returns_span
        yield changed(CODE, pair, message, [Category.PYTHON, Category.EXPORT], new, old)
