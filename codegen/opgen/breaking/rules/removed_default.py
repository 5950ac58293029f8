"""OPG716: an argument has no default any more."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.schema.printer import print_default

CODE = Code(
    id="OPG716",
    name="removed-default",
    severity=Severity.ERROR,
    summary="An argument no longer has a default.",
    why=(
        "Calls and saved graphs that omit the argument fail. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="keep the default",
    bad=diff(
        "-  - func: scale(Tensor x, float by=2.0) -> Tensor",
        "+  - func: scale(Tensor x, float by) -> Tensor",
    ),
    good=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, float by=2.0) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument that had a default."""
    for old, new in pair.matched:
        if old.default is not None and new.default is None:
            was = print_default(old.default)
            message = f"the default {was} of '{new.name}' was removed"
            hit = [Category.PYTHON, Category.EXPORT]
            help_ = f"write `{new.name}={was}`"
            yield changed(CODE, pair, message, hit, new.span, old.span, help=help_)
