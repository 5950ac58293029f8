"""OPG721: a returned value has another type or name."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.types import list_size
from opgen.diagnostics import Code, Severity
from opgen.schema.kinds import is_subtype, kind_of
from opgen.schema.printer import print_type

CODE = Code(
    id="OPG721",
    name="changed-return",
    severity=Severity.ERROR,
    summary="A returned value has a different type or name.",
    why=(
        "A result that may now be None, or has a different type, breaks callers that rely on it. PyTorch compares "
        "the names of returns as well, since graphs contain them. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`: the new type must be a subtype of the old one."
    ),
    remedy="return what was returned, under the same name",
    bad=diff(
        "-  - func: top(Tensor x) -> (Tensor values, Tensor indices)",
        "+  - func: top(Tensor x) -> (Tensor values, Tensor places)",
    ),
    good=diff(
        "-  - func: top(Tensor x) -> Tensor?",
        "+  - func: top(Tensor x) -> Tensor",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each return whose type is no subtype of the old one, or that has another name."""
    old_returns, new_returns = pair.old.schema.returns, pair.new.schema.returns
    if len(old_returns) != len(new_returns):
        return
    for index, (old, new) in enumerate(zip(old_returns, new_returns, strict=True)):
        which = "the result" if len(new_returns) == 1 else f"result {index}"
        if list_size(old.type) != list_size(new.type) or not is_subtype(kind_of(new.type), kind_of(old.type)):
            message = f"the type of {which} was {print_type(old.type)}, and is {print_type(new.type)}"
            yield changed(CODE, pair, message, [Category.PYTHON, Category.EXPORT], new.span, old.span)
        if old.name != new.name:
            was, now = (f"'{each.name}'" if each.name else "not named" for each in (old, new))
            yield changed(CODE, pair, f"{which} was {was}, and is {now}", [Category.EXPORT], new.span, old.span)
