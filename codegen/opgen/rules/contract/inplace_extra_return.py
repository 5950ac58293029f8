"""OPG206: an in-place op that returns something beside its argument."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import IRREGULAR, intended_contract
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG206",
    name="inplace-extra-return",
    severity=Severity.ERROR,
    summary="An in-place op returns more than its first argument.",
    why=(
        "An in-place op has exactly one return, its first argument (`Tag.inplace`, `torch/library.py`). An op "
        "that writes an argument and has results of its own is mutable, and returns only fresh tensors."
    ),
    bad=ops_yaml("rotate_(Tensor(a!) x, float angle) -> (Tensor(a!), Tensor)"),
    good=ops_yaml("rotate(Tensor(a!) x, float angle) -> Tensor"),
    remedy="return only the first argument, or only what is fresh",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report ops with more than one return whose schema is meant to be in-place."""
    if intended_contract(op) is Contract.INPLACE and len(op.schema.returns) > 1:
        first = op.schema.arguments[0].name
        message = f"an in-place op has one return, its first argument '{first}'; found {len(op.schema.returns)}"
        yield finding(CODE, op, message, op.schema.returns_span)


RULE = Rule(CODE, check, contracts=IRREGULAR)
