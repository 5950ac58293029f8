"""OPG213: an optional buffer that the result goes to, if it is given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Argument, Library, Op
from opgen.rules.contract.shape import intended_contract
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.types import is_tensor, is_tensor_list

CODE = Code(
    id="OPG213",
    name="maybe-out",
    severity=Severity.ERROR,
    summary="An optional written argument takes the result if it is given, beside results that are returned.",
    why=(
        "Whether a result is the buffer or fresh memory then depends on the call, and no schema can say that: a "
        "result that is the buffer is an undeclared alias, which `torch.compile` turns into wrong values "
        "(pytorch/pytorch#180620). Two overloads can say it. Optional state beside a fresh result is legal; whether "
        "it is one is judged by `overwrites` and by its name."
    ),
    bad=ops_yaml("attend(Tensor q, Tensor k, Tensor(a!)? out=None) -> Tensor"),
    good=ops_yaml(
        "attend(Tensor q, Tensor k) -> Tensor",
        "attend.out(Tensor q, Tensor k, *, Tensor(a!) out) -> Tensor(a!)",
    ),
    remedy="declare two overloads: the op without the buffer, and `.out` with a required keyword-only one",
)

_RESULT_NAME = re.compile(r"(^|_)(out|outs|output|outputs|result|results|dst|dest|ret)(\d*)(_|$)")


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Look for optional written arguments that are returned, or stand for a result beside fresh ones."""
    optional = {argument.name: argument for argument in op.written if argument.is_optional}
    if not optional:
        return
    returns_fresh = any(is_tensor(output.type) or is_tensor_list(output.type) for output in op.fresh_outputs)
    is_out = intended_contract(op) is Contract.OUT
    for node in op.schema.arguments:
        argument = optional.get(node.name)
        if argument is None:
            continue
        if (is_out and argument.returned_as is not None) or (returns_fresh and _is_result(argument)):
            message = f"optional argument '{argument.name}' takes the result if it is given, beside what is returned"
            overloads = f"`{op.name}` without it, and `{op.name}.out` with `*, Tensor(a!) {argument.name}`"
            yield finding(CODE, op, message, node.span, help=f"declare two overloads: {overloads}")


def _is_result(argument: Argument) -> bool:
    return argument.overwrites or _RESULT_NAME.search(argument.name) is not None


RULE = Rule(CODE, check)
