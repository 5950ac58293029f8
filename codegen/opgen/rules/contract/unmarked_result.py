"""OPG226: a tensor argument that by its name receives the result, and isn't marked as written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.aliases import is_written
from opgen.schema.nodes import OptionalType
from opgen.schema.types import is_tensor, is_tensor_list

CODE = Code(
    id="OPG226",
    name="unmarked-result",
    severity=Severity.WARNING,
    summary="An optional or keyword-only tensor is named like a result, but not marked as written.",
    why=(
        "Such an argument is a buffer that the kernel fills if it is given. If the write is undeclared, it is lost "
        "under `torch.compile` (state-spaces/mamba#1042), and the returned result is the buffer itself, which makes "
        "autograd and functionalization raise (Dao-AILab/flash-attention#2073)."
    ),
    bad=ops_yaml("attend(Tensor q, Tensor k, Tensor? out=None) -> Tensor"),
    good=ops_yaml(
        "attend(Tensor q, Tensor k) -> Tensor",
        "attend.out(Tensor q, Tensor k, *, Tensor(a!) out) -> Tensor(a!)",
    ),
    remedy="declare a functional op without it and its out= overload; mark it `!` if it is state; else give it another name",
)
_RESULT = re.compile(r"(?:out|outs|output|outputs|result|results)_?")


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Check tensors by their names; a required positional one may be an input that is the output of an earlier op."""
    for argument in op.schema.arguments:
        is_optional = isinstance(argument.type, OptionalType)
        is_buffer = is_optional or argument.kwarg_only
        if not is_buffer or not (is_tensor(argument.type) or is_tensor_list(argument.type)):
            continue
        if is_written(argument) or not _RESULT.fullmatch(argument.name):
            continue
        kind = "optional" if is_optional else "keyword-only"
        message = f"{kind} argument '{argument.name}' is called like a result, but is not marked as written"
        overloads = f"`{op.name}` without it, and `{op.name}.out` with `*, Tensor(a!) {argument.name}`"
        remedy = f"declare two overloads: {overloads}" if is_optional else "mark it and return it: `Tensor(a!)`"
        yield finding(
            CODE, op, message, argument.span, help=f"if the kernel fills it, {remedy}; else give it another name"
        )


RULE = Rule(CODE, check)
