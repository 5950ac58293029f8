"""OPG730: a graph that is exported with the new version can't be loaded with the old one."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.defaults import is_container
from opgen.breaking.pair import Pair, is_appended
from opgen.breaking.types import graph_takes
from opgen.diagnostics import Code, Severity
from opgen.schema.printer import print_type

CODE = Code(
    id="OPG730",
    name="newer-graphs",
    severity=Severity.INFO,
    summary="Some graphs exported with the new version can't be loaded with the old one.",
    why=(
        "Old callers and old graphs keep working, so this is an info: it matters if models are exported with a newer "
        "library than the one that serves them. Source: `isForwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="bring the new version to those who load graphs before those who export them use what is new",
    bad=diff(
        "-  - func: scale(Tensor x, int by) -> Tensor",
        "+  - func: scale(Tensor x, int? by) -> Tensor",
    ),
    good=diff(
        "-  - func: scale(Tensor x, int by) -> Tensor",
        "+  - func: scale(Tensor x, int by, int? shift=None) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield wider types, defaults that came in, lists as defaults of new arguments."""
    for old, new in pair.matched:
        if graph_takes(old.type, new.type) and not graph_takes(new.type, old.type):
            message = f"the type of '{new.name}' was {print_type(old.type)}, and is {print_type(new.type)}"
            yield changed(CODE, pair, message, [Category.EXPORT], new.span, old.span)
        if old.default is None and new.default is not None:
            message = f"graphs may leave out '{new.name}', which had no default"
            yield changed(CODE, pair, message, [Category.EXPORT], new.span, old.span)
    for new in pair.added:
        if is_container(new) and is_appended(pair, new):
            message = f"the default of the new argument '{new.name}' is a list, which PyTorch does not leave out"
            yield changed(CODE, pair, message, [Category.EXPORT], new.span, pair.old.schema.span)
