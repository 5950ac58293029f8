"""OPG211: an out= op that also writes a positional argument."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import IRREGULAR, intends_outs, returned_arguments
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.aliases import is_written

CODE = Code(
    id="OPG211",
    name="out-other-write",
    severity=Severity.ERROR,
    summary="An out= op writes a positional argument besides its outs.",
    why=(
        "All written arguments of an out= op are keyword-only buffers that are never read (`Tag.out`, "
        "`torch/library.py`). A cache that is updated beside them makes it a mutable op."
    ),
    bad=ops_yaml("append.out(Tensor x, Tensor(a!) cache, *, Tensor(b!) out) -> Tensor(b!)"),
    good=ops_yaml("append(Tensor x, Tensor(a!) cache, Tensor(b!) out) -> ()"),
    remedy="return `()` or a fresh tensor: an op that updates state is a mutable one",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report written positional arguments that are not returned."""
    if intends_outs(op):
        returned = returned_arguments(op)
        for argument in op.schema.arguments:
            if is_written(argument) and not argument.kwarg_only and argument not in returned:
                message = f"positional argument '{argument.name}' is written beside the outs of an out= op"
                yield finding(CODE, op, message, argument.type.span)


RULE = Rule(CODE, check, contracts=IRREGULAR)
