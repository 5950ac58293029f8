"""OPG740: C++ callers have another function type."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.cpp import cpp_function
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG740",
    name="cpp-signature",
    severity=Severity.WARNING,
    summary="C++ code that calls the op through the dispatcher has to change.",
    why=(
        "C++ looks up an op with the type of its function, `findSchemaOrThrow(...).typed<...>()`, which throws if "
        "the type is different; it passes all arguments by position, and defaults don't apply. Callers that use a "
        "stack of values (`torch_call_dispatcher`) pass the wrong number of them, which nothing checks. The kernels "
        "of the op have to change likewise. Source: `aten/src/ATen/core/dispatch/Dispatcher.h`."
    ),
    remedy="give the new form another overload name, or tell C++ callers to change with this version",
    bad=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, float by, float shift=0.0) -> Tensor",
    ),
    good=diff(
        "-  - func: scale(Tensor x, float by) -> Tensor",
        "+  - func: scale(Tensor x, float by=1.0) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield ops whose C++ function type is another one, or whose arguments of one type changed places."""
    was, now = cpp_function(pair.old.schema), cpp_function(pair.new.schema)
    order = [argument.name for argument in pair.new.schema.arguments]
    moved = [new.name for _, new in pair.matched] != [
        name for name in order if name in {n.name for _, n in pair.matched}
    ]
    if was != now or moved:
        same = "the same, with its arguments in another order"
        message = f"C++ callers use {was}, and have to use {now if was != now else same}"
        old, new = pair.old.schema.span, pair.new.schema.span
        yield changed(CODE, pair, message, [Category.CXX], new, old)
