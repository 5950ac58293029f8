"""OPG717: an argument has another default."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.defaults import stored_default
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.schema.printer import print_default

CODE = Code(
    id="OPG717",
    name="changed-default",
    severity=Severity.ERROR,
    summary="The default of an argument changed.",
    why=(
        "Calls that omit the argument give other results, without an error. Saved graphs omit values that equal the "
        "default, so they change as well. Source: `isBackwardCompatibleWith` in "
        "`aten/src/ATen/core/function_schema.cpp`, which compares the values: `1` and `1.0` differ, `int[2] x=1` and "
        "`int[2] x=[1, 1]` do not."
    ),
    remedy="keep the default, or give the new form another overload name",
    bad=diff(
        "-  - func: norm(Tensor x, float eps=1e-6) -> Tensor",
        "+  - func: norm(Tensor x, float eps=1e-5) -> Tensor",
    ),
    good=diff(
        "-  - func: norm(Tensor x, float eps=1e-6) -> Tensor",
        "+  - func: norm(Tensor x, float eps=0.000001) -> Tensor",
    ),
)
_HIT = (Category.PYTHON, Category.EXPORT, Category.SEMANTIC)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument whose two defaults PyTorch does not take for equal."""
    for old, new in pair.matched:
        if old.default is None or new.default is None or stored_default(old) == stored_default(new):
            continue
        was, now = print_default(old.default), print_default(new.default)
        message = f"the default of '{new.name}' was {was}, and is {now}"
        yield changed(
            CODE, pair, message, _HIT, new.span, old.span, help=f"keep {was}; {CODE.remedy.partition(', ')[2]}"
        )
