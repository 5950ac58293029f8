"""OPG713: a new argument must be passed."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.schema.printer import print_argument

CODE = Code(
    id="OPG713",
    name="required-argument",
    severity=Severity.ERROR,
    summary="A new argument has no default.",
    why=(
        "No existing call or saved graph passes it. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`: a new argument must provide a default."
    ),
    remedy="give it the default that does what the op did before, or give the new form another overload name",
    bad=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, float by, float shift) -> Tensor",
    ),
    good=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, float by, float shift=0.0) -> Tensor",
    ),
)
_HIT = (Category.PYTHON, Category.EXPORT)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each new argument without a default."""
    for new in pair.added:
        if new.default is None:
            message = f"the new argument `{print_argument(new)}` has no default"
            yield changed(CODE, pair, message, _HIT, new.span, pair.old.schema.span)
