"""OPG208: an out= argument that is not a plain tensor."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import returns_argument
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import IRREGULAR, intends_outs, returned_arguments
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.types import is_plain_tensor

CODE = Code(
    id="OPG208",
    name="out-argument-type",
    severity=Severity.ERROR,
    summary="An argument that an out= op writes and returns is not a plain `Tensor`.",
    why=(
        "`Tag.out` requires every out to be a `Tensor`, neither optional nor a list, and to be returned as one "
        "(`torch/library.py`)."
    ),
    bad=ops_yaml("split.out(Tensor x, *, Tensor(a!)[] out) -> Tensor(a!)[]"),
    good=ops_yaml("split.out(Tensor x, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!), Tensor(b!))"),
    remedy="declare one plain `Tensor` an output, or return `()`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Check the types of the returned arguments and of their returns."""
    if not intends_outs(op):
        return
    for argument in returned_arguments(op):
        if not is_plain_tensor(argument.type):
            message = f"argument '{argument.name}' is written and returned, so it must be a plain Tensor"
            yield finding(CODE, op, message, argument.type.span)
            continue
        for result in op.schema.returns:
            if returns_argument(result, argument) and not is_plain_tensor(result.type):
                message = f"a return is argument '{argument.name}', so it must be a plain Tensor as well"
                yield finding(CODE, op, message, result.type.span)


RULE = Rule(CODE, check, contracts=IRREGULAR)
