"""OPG209: an out= op whose returns aren't exactly its out arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import returns_argument
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import IRREGULAR, intends_outs
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.aliases import is_written

CODE = Code(
    id="OPG209",
    name="out-not-returned",
    severity=Severity.ERROR,
    summary="An out= op does not return exactly what it writes.",
    why=(
        "`Tag.out` requires that each written argument is returned exactly once, and nothing else "
        "(`torch/library.py`); an op that returns only some of its buffers cannot be functionalised."
    ),
    bad=ops_yaml("top.out(Tensor x, *, Tensor(a!) values, Tensor(b!) ids) -> Tensor(a!)"),
    good=ops_yaml("top.out(Tensor x, *, Tensor(a!) values, Tensor(b!) ids) -> (Tensor(a!), Tensor(b!))"),
    remedy="return every out, in the order of declaration, or return `()`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Match keyword-only written arguments with returns."""
    if not intends_outs(op):
        return
    outs = [argument for argument in op.schema.arguments if argument.kwarg_only and is_written(argument)]
    written = [argument for argument in op.schema.arguments if is_written(argument)]
    times = Counter(out.name for out in outs for result in op.schema.returns if returns_argument(result, out))
    for out in outs:
        if times[out.name] != 1:
            found = "not returned" if times[out.name] == 0 else f"returned {times[out.name]} times"
            message = f"argument '{out.name}' of an out= op must be returned once; it is {found}"
            yield finding(CODE, op, message, op.schema.returns_span)
    for index, result in enumerate(op.schema.returns):
        if not any(returns_argument(result, argument) for argument in written):
            yield finding(CODE, op, f"return {index} of an out= op is none of its outs", result.span)


RULE = Rule(CODE, check, contracts=IRREGULAR)
