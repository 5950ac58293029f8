"""OPG719: `...` came or went."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG719",
    name="changed-dots",
    severity=Severity.ERROR,
    summary="A `...` among the arguments or the returns was added or removed.",
    why=(
        "The number of values in a call no longer matches saved graphs. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="leave the `...` as it was",
    bad=diff(
        "-  - func: join(Tensor x, ...) -> Tensor",
        "+  - func: join(Tensor x) -> Tensor",
    ),
    good=diff(
        "   - func: join(Tensor x, ...) -> Tensor",
        "+  - func: join.one(Tensor x) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each of the two that is not as it was."""
    old, new = pair.old.schema, pair.new.schema
    for was, now, where in (
        (old.is_vararg, new.is_vararg, "arguments"),
        (old.is_varret, new.is_varret, "returns"),
    ):
        if was != now:
            message = f"`...` among the {where} was {'added' if now else 'removed'}"
            yield changed(CODE, pair, message, [Category.PYTHON, Category.EXPORT], new.span, old.span)
