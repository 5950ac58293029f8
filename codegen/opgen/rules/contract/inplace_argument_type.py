"""OPG205: an in-place op on something that is not a plain tensor."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import IRREGULAR, intended_contract
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.types import is_plain_tensor

CODE = Code(
    id="OPG205",
    name="inplace-argument-type",
    severity=Severity.ERROR,
    summary="The argument that an in-place op writes and returns is not a plain `Tensor`.",
    why=(
        "`Tag.inplace` requires a first argument of type `Tensor`, neither optional nor a list (`torch/library.py`): "
        "what would an in-place op on nothing return?"
    ),
    bad=ops_yaml("rotate_(Tensor(a!)? x, float angle) -> Tensor(a!)?"),
    good=ops_yaml("rotate_(Tensor(a!) x, float angle) -> Tensor(a!)"),
    remedy="make it a plain `Tensor` on both sides, or return `()`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Check the types of the first argument and of the return that it is."""
    if intended_contract(op) is Contract.INPLACE:
        first, result = op.schema.arguments[0], op.schema.returns[0]
        if not is_plain_tensor(first.type):
            message = f"argument '{first.name}' is written and returned, so it must be a plain Tensor"
            yield finding(CODE, op, message, first.type.span)
        elif not is_plain_tensor(result.type):
            message = f"the return is argument '{first.name}', so it must be a plain Tensor as well"
            yield finding(CODE, op, message, result.type.span)


RULE = Rule(CODE, check, contracts=IRREGULAR)
