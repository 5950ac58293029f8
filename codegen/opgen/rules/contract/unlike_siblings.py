"""OPG227: an argument that only one of two overloads marks as written."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import MUTABLE
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG227",
    name="unlike-siblings",
    severity=Severity.WARNING,
    summary="Two overloads of a mutable op have an argument of the same name, but only one of them writes it.",
    why=(
        "Overloads do the same for different types, so one of the two marks is probably missing or superfluous: an "
        "undeclared write is lost under `torch.compile` (ROCm/aiter#2780)."
    ),
    bad=ops_yaml(
        "scan.dense(Tensor(a!) state, Tensor(b!) seen, Tensor x) -> ()",
        "scan.ragged(Tensor(a!) state, Tensor seen, Tensor x, Tensor lengths) -> ()",
    ),
    good=ops_yaml(
        "scan.dense(Tensor(a!) state, Tensor(b!) seen, Tensor x) -> ()",
        "scan.ragged(Tensor(a!) state, Tensor(b!) seen, Tensor x, Tensor lengths) -> ()",
    ),
    remedy="mark the argument in both, or in none",
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Compare an op with the mutable overloads before it."""
    earlier = library.overloads.get(f"{op.namespace}::{op.name}", ())
    siblings = [one for one in earlier if one.contract is Contract.MUTABLE and not one.is_derived]
    others = [
        one for one in siblings if one.location.span < op.location.span and one.location.source == op.location.source
    ]
    for name in (argument.name for argument in op.tensor_arguments):
        mine = op.argument[name]
        for other in others:
            its = other.argument.get(name)
            if its is not None and (its.is_tensor or its.is_tensor_list) and its.written != mine.written:
                does, done = ("writes", "does not") if mine.written else ("only reads", "writes it")
                message = f"the op {does} '{name}', by its schema, and its overload {other.qualified_name} {done}"
                note = Note(f"{other.qualified_name} is here", other.location)
                place = next(one for one in op.schema.arguments if one.name == name).span
                yield finding(CODE, op, message, place, notes=(note,))
                break


RULE = Rule(CODE, check, contracts=MUTABLE)
