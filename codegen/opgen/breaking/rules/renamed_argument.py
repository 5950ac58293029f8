"""OPG711: an argument has another name."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG711",
    name="renamed-argument",
    severity=Severity.ERROR,
    summary="An argument has another name.",
    why=(
        "Every argument of an op may be passed by name, so the name is part of calls; graphs also contain it. "
        "Source: `isBackwardCompatibleWith` in `aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="keep the name",
    bad=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, float factor) -> Tensor",
    ),
    good=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, float by, float shift=0.0) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument of an old type and place with a new name."""
    for old, new in pair.matched:
        if old.name != new.name:
            message = f"the argument '{old.name}' was renamed to '{new.name}'"
            hit = [Category.PYTHON, Category.EXPORT]
            yield changed(CODE, pair, message, hit, new.name_span, old.name_span, help=f"keep the name '{old.name}'")
