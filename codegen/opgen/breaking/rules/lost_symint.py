"""OPG760: a size is no longer symbolic."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.schema.printer import print_type

CODE = Code(
    id="OPG760",
    name="lost-symint",
    severity=Severity.WARNING,
    summary="An argument changed from SymInt to int.",
    why=(
        "`torch.compile` then recompiles for each value, and `torch.export` rejects it as a dynamic size or fixes "
        "it. PyTorch's own comparison of schemas treats both as one type. Source: "
        "`torch/csrc/jit/frontend/schema_type_parser.cpp`."
    ),
    remedy="keep SymInt; the kernel takes `int64_t` for it",
    bad=diff(
        "-  - func: pad(Tensor x, SymInt size) -> Tensor",
        "+  - func: pad(Tensor x, int size) -> Tensor",
    ),
    good=diff(
        "-  - func: pad(Tensor x, int size) -> Tensor",
        "+  - func: pad(Tensor x, SymInt size) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument whose type lost its ``Sym``."""
    for old, new in pair.matched:
        was, now = print_type(old.type), print_type(new.type)
        if was != now and was.replace("SymInt", "int") == now:
            message = f"the type of '{new.name}' was {was}, and is {now}"
            yield changed(CODE, pair, message, [Category.SEMANTIC], new.span, old.span)
