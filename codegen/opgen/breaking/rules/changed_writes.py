"""OPG750: an argument is written, or no longer."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.schema.aliases import is_written

CODE = Code(
    id="OPG750",
    name="changed-writes",
    severity=Severity.ERROR,
    summary="An argument that was only read is now written, or the other way round.",
    why=(
        "A tensor that callers keep using is overwritten, or a write that they expect no longer happens. In a saved "
        "graph the write is part of the schema. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`, which compares the `AliasInfo` of each argument."
    ),
    remedy=(
        "leave the op as it is, and add the form with the other contract: `f_`, `f.out`; where only the schema was wrong, graphs that "
        "were compiled or exported before are wrong, too: export them again, and empty the caches of `torch.compile`"
    ),
    bad=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor(a!) x, float by) -> Tensor",
    ),
    good=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale_(Tensor(a!) x, float by) -> Tensor(a!)",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument whose ``!`` came or went."""
    for old, new in pair.matched:
        was, now = is_written(old), is_written(new)
        if was != now:
            message = f"the argument '{new.name}' is {'written now' if now else 'no longer written'}"
            yield changed(CODE, pair, message, [Category.SEMANTIC, Category.EXPORT], new.span, old.span)
