"""OPG302: a return with the name of an argument or of another return."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import returns_argument
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG302",
    name="return-name",
    severity=Severity.WARNING,
    summary="A return has the name of another return, or of a different argument.",
    why=(
        "Names of returns become keys of `tensors`, parameters of the kernel and names of out arguments (`x` would "
        "then be both). PyTorch's parser does not compare names."
    ),
    bad=ops_yaml("normalise(Tensor x) -> (Tensor x, Tensor scale)"),
    good=ops_yaml("normalise(Tensor x) -> (Tensor y, Tensor scale)"),
    remedy="rename the return",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare the names of returns with arguments and earlier returns."""
    seen: set[str] = set()
    for result in op.schema.returns:
        if result.name is None:
            continue
        others = [argument for argument in op.schema.arguments if argument.name == result.name]
        if any(not returns_argument(result, argument) for argument in others):
            message = f"return '{result.name}' has the name of an argument, but is a fresh value"
            yield finding(CODE, op, message, result.name_span)
        elif result.name in seen:
            yield finding(CODE, op, f"two returns are called '{result.name}'", result.name_span)
        seen.add(result.name)


RULE = Rule(CODE, check)
