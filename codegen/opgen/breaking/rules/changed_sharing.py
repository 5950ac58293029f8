"""OPG751: a result shares other memory."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.sharing import sharing
from opgen.diagnostics import Code, Severity
from opgen.schema.aliases import is_written
from opgen.schema.nodes import Argument, Return

CODE = Code(
    id="OPG751",
    name="changed-sharing",
    severity=Severity.ERROR,
    summary="Arguments or results share memory differently than before.",
    why=(
        "If a result used to be a separate tensor and is now one of the arguments, or the other way round, a later "
        "write becomes visible where it was not, or no longer is. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`, which compares the `AliasInfo` of each value; here only what is "
        "shared counts, not the letters."
    ),
    remedy="leave the op as it is, and add the form with the other contract",
    bad=diff(
        "-  - func: scale_(Tensor(a!) x, float by) -> Tensor(a!)",
        "+  - func: scale_(Tensor(a!) x, float by) -> Tensor",
    ),
    good=diff(
        "-  - func: scale_(Tensor(a!) x, float by) -> Tensor(a!)",
        "+  - func: scale_(Tensor(b!) x, float by) -> Tensor(b!)",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each value that shares other sets; not what a changed write says already."""
    old: list[Argument | Return] = [was for was, _ in pair.matched]
    new: list[Argument | Return] = [now for _, now in pair.matched]
    if len(pair.old.schema.returns) == len(pair.new.schema.returns):
        old += pair.old.schema.returns
        new += pair.new.schema.returns
    names = [f"the argument '{now.name}'" for _, now in pair.matched]
    names += (
        ["the result"] if len(pair.new.schema.returns) == 1 else [f"result {i}" for i in range(len(new) - len(names))]
    )
    for was, now, which, before, after in zip(old, new, names, sharing(old), sharing(new), strict=False):
        is_said = isinstance(now, Argument) and is_written(was) != is_written(now)
        if before != after and not is_said:
            message = f"{which} shares other memory than it did"
            yield changed(CODE, pair, message, [Category.SEMANTIC, Category.EXPORT], now.span, was.span)
