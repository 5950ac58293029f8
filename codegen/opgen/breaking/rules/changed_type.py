"""OPG718: an argument has another type."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.types import graph_takes, python_takes
from opgen.diagnostics import Code, Severity
from opgen.schema.printer import print_type

CODE = Code(
    id="OPG718",
    name="changed-type",
    severity=Severity.ERROR,
    summary="An argument no longer accepts all values that it accepted.",
    why=(
        "PYTHON is affected if a value that could be passed is now rejected: `None`, or a number for a list that has "
        "lost its size. EXPORT is affected if the old type is not a subtype of the new one, as `int` is not a "
        "subtype of `float`: graphs contain values of the old type. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="keep the type, make it a wider one (`int?`, `Scalar`), or give the new form another overload name",
    bad=diff(
        "-  - func: scale(Tensor x, float? by=None) -> Tensor",
        "+  - func: scale(Tensor x, float by=1.0) -> Tensor",
    ),
    good=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, float? by) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument whose new type takes less than the old one."""
    for old, new in pair.matched:
        hit = [
            *([] if python_takes(old.type, new.type) else [Category.PYTHON]),
            *([] if graph_takes(old.type, new.type) else [Category.EXPORT]),
        ]
        if hit:
            was, now = print_type(old.type), print_type(new.type)
            yield changed(CODE, pair, f"the type of '{new.name}' was {was}, and is {now}", hit, new.span, old.span)
