"""OPG710: an argument is gone."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.schema.printer import print_argument

CODE = Code(
    id="OPG710",
    name="removed-argument",
    severity=Severity.ERROR,
    summary="An op no longer has an argument.",
    why=(
        "A call that passes it raises, a call that passes others by position hands them to the wrong arguments, and "
        "a graph that contains it can't be loaded. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="keep the argument and ignore it, or give the new form another overload name",
    bad=diff(
        "-  - func: scale(Tensor x, float by, bool fast=False) -> Tensor",
        "+  - func: scale(Tensor x, float by) -> Tensor",
    ),
    good=diff(
        "   - func: scale(Tensor x, float by, bool fast=False) -> Tensor",
        "+  - func: scale.plain(Tensor x, float by) -> Tensor",
    ),
)
_HIT = (Category.PYTHON, Category.EXPORT)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument that is gone and was not renamed, at the name of the op."""
    for old in pair.removed:
        message = f"the argument `{print_argument(old)}` was removed"
        yield changed(CODE, pair, message, _HIT, pair.new.schema.name.span, old.span)
