"""OPG204: an in-place op that writes a second argument."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import IRREGULAR, intended_contract
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.aliases import is_written

CODE = Code(
    id="OPG204",
    name="inplace-other-write",
    severity=Severity.ERROR,
    summary="An in-place op writes another argument besides its first one.",
    why=(
        "An in-place op may write only its first argument; with a second write PyTorch refuses `Tag.inplace` and "
        'cannot functionalise the op ("Choosing the kind of custom op", the `torch.library` page).'
    ),
    bad=ops_yaml("rotate_(Tensor(a!) x, Tensor(b!) cache) -> Tensor(a!)"),
    good=ops_yaml("rotate_both(Tensor(a!) x, Tensor(b!) cache) -> ()"),
    remedy="return `()`: an op that writes several arguments is a mutable one and returns none of them",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report every written argument after the first of an op that is meant to be in-place."""
    if intended_contract(op) is Contract.INPLACE:
        for argument in op.schema.arguments[1:]:
            if is_written(argument):
                message = f"argument '{argument.name}' is written by an op that returns its first argument"
                yield finding(CODE, op, message, argument.type.span)


RULE = Rule(CODE, check, contracts=IRREGULAR)
