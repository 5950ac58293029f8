"""OPG714: a new argument stands in front of old ones."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair, is_appended
from opgen.diagnostics import Code, Severity
from opgen.schema.nodes import Argument

CODE = Code(
    id="OPG714",
    name="inserted-argument",
    severity=Severity.ERROR,
    summary="A new argument with a default comes before existing ones.",
    why=(
        "It takes the place of the next argument in calls by position. Saved graphs refer to arguments by position, "
        "including keyword-only ones: a new argument belongs after all others, and before the keyword-only written "
        "ones of an out= op. Source: `isBackwardCompatibleWith` in `aten/src/ATen/core/function_schema.cpp`."
    ),
    remedy="move it behind the last argument; of an out= op, in front of the first that is written",
    bad=diff(
        "-  - func: scale(Tensor x, float by=1.0) -> Tensor",
        "+  - func: scale(Tensor x, float shift=0.0, float by=1.0) -> Tensor",
    ),
    good=diff(
        "-  - func: scale.out(Tensor x, float by=1.0, *, Tensor(a!) out) -> Tensor(a!)",
        "+  - func: scale.out(Tensor x, float by=1.0, float shift=0.0, *, Tensor(a!) out) -> Tensor(a!)",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each new argument with a default that PyTorch does not take for an appended one."""
    for new in pair.added:
        if new.default is not None and not is_appended(pair, new):
            followers = _followers(pair, new)
            hit = [Category.EXPORT, *([Category.PYTHON] if followers else [])]
            message = f"the new argument '{new.name}' does not stand behind all others"
            if followers:
                message = f"the new argument '{new.name}' takes the place of '{followers[0]}' in calls by position"
            yield changed(CODE, pair, message, hit, new.span, pair.old.schema.span)


def _followers(pair: Pair, new: Argument) -> list[str]:
    """Name the positional arguments of old that stand behind a new positional one."""
    behind = pair.new.schema.arguments[pair.new.schema.arguments.index(new) + 1 :]
    old = {argument.name for kept, argument in pair.matched if not kept.kwarg_only}
    return [argument.name for argument in behind if argument.name in old and not new.kwarg_only]
