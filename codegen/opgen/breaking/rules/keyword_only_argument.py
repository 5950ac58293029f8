"""OPG715: an argument can be passed in one way only that could be passed in another."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.schema.aliases import is_written

CODE = Code(
    id="OPG715",
    name="keyword-only-argument",
    severity=Severity.ERROR,
    summary="An argument became keyword-only, or a keyword-only written one became positional.",
    why=(
        "Calls that pass it by position raise. In the opposite direction calls still work, but graphs treat the "
        "keyword-only written arguments as those of an out= op, which come after everything that is appended. "
        "Source: `isBackwardCompatibleWith` and `findFirstOutArg` in `aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="leave the `*` where it was",
    bad=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, *, float by) -> Tensor",
    ),
    good=diff(
        "-  - func: scale(Tensor x, *, float by) -> Tensor",
        "+  - func: scale(Tensor x, float by) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument behind a ``*`` that moved."""
    for old, new in pair.matched:
        if new.kwarg_only and not old.kwarg_only:
            hit = [Category.PYTHON, Category.EXPORT]
            yield changed(CODE, pair, f"the argument '{new.name}' became keyword-only", hit, new.span, old.span)
        elif old.kwarg_only and not new.kwarg_only and is_written(old):
            message = f"the written argument '{new.name}' is no longer keyword-only"
            yield changed(CODE, pair, message, [Category.EXPORT], new.span, old.span)
