"""OPG213: an optional out argument, ``Tensor(a!)? out=None``, which receives the result only if it is given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_lowercase

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Argument, Library, Op
from opgen.rules.contract.shape import WRITING, intended_contract
from opgen.rules.rule import Rule, finding, listed, ops_yaml
from opgen.schema.types import is_tensor, is_tensor_list

CODE = Code(
    id="OPG213",
    name="maybe-out",
    severity=Severity.ERROR,
    summary="An optional written argument receives the result if it is given, although results are also returned.",
    why=(
        "Whether a result is the buffer or fresh memory then depends on the call, which no schema can express: a "
        "result that is the buffer is an undeclared alias, which `torch.compile` turns into wrong values "
        "(pytorch/pytorch#180620). Two overloads can express it. Optional state besides a fresh result is legal; "
        "`overwrites` and the argument's name decide whether it is one."
    ),
    bad=ops_yaml("attend(Tensor q, Tensor k, Tensor(a!)? out=None) -> Tensor"),
    good=ops_yaml(
        "attend(Tensor q, Tensor k) -> Tensor",
        "attend.out(Tensor q, Tensor k, *, Tensor(a!) out) -> Tensor(a!)",
    ),
    remedy="declare two overloads: the op without the buffer, and `.out` with a required keyword-only one",
)

_RESULT_NAME = re.compile(
    r"(?:(?:opt|optional|maybe)_)?(?:outs?|outputs?|results?|dst|dest|ret)\d*(?:_(?:opt|tensor|buf|buffer)?)?"
)
"""Names of out arguments. The whole name must match: ``residual_out`` is a result beside those that are returned."""


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report optional written arguments that are returned, or by their name take the place of a fresh result."""
    returns_fresh = any(is_tensor(output.type) or is_tensor_list(output.type) for output in op.fresh_outputs)
    is_out = intended_contract(op) is Contract.OUT
    found = [
        argument
        for argument in op.written
        if argument.is_optional
        and ((is_out and argument.returned_as is not None) or (returns_fresh and _is_result(argument)))
    ]
    if not found:
        return
    names = [argument.name for argument in found]
    place = next(node.span for node in op.schema.arguments if node.name == names[0])
    one = f"optional argument {listed(names)} takes the result if it is given"
    several = f"optional arguments {listed(names)} take results if they are given"
    outs = ", ".join(f"Tensor({letter}!) {name}" for letter, name in zip(ascii_lowercase, names, strict=False))
    overloads = f"`{op.name}` without {'it' if len(names) == 1 else 'them'}, and `{op.name}.out` with `*, {outs}`"
    message = f"{one if len(names) == 1 else several}, beside what is returned"
    yield finding(CODE, op, message, place, help=f"declare two overloads: {overloads}")


def _is_result(argument: Argument) -> bool:
    return argument.overwrites or _RESULT_NAME.fullmatch(argument.name) is not None


RULE = Rule(CODE, check, contracts=WRITING)
