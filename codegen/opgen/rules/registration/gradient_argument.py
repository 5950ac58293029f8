"""OPG503: a gradient for something that has none."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, did_you_mean, finding, listed, ops_yaml, spelling_fix

CODE = Code(
    id="OPG503",
    name="gradient-argument",
    severity=Severity.ERROR,
    summary="A gradient formula names something that is no tensor argument of the op.",
    why="The formula would never be used, and the argument that was meant would get no gradient.",
    bad=ops_yaml("twice(Tensor src) -> Tensor\nautograd: {scr: grad * 2}"),
    good=ops_yaml("twice(Tensor src) -> Tensor\nautograd: {src: grad * 2}"),
    remedy="name tensor arguments of the schema",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Look each name of each formula up among the arguments."""
    if not isinstance(op.spec.autograd, tuple):
        return
    tensors = [argument.name for argument in op.tensor_arguments]
    choices = f"its tensor arguments are {listed(tensors)}" if tensors else "it has none"
    for name in (name for formula in op.spec.autograd for name in formula.arguments):
        if name.value not in tensors:
            what = "is no tensor" if name.value in op.argument else "is no argument of the op"
            message = f"`autograd` has a formula for '{name.value}', which {what}"
            yield finding(
                CODE,
                op,
                message,
                name.locate(),
                help=did_you_mean(name.value, tensors, choices),
                fix=spelling_fix(name, tensors),
            )


RULE = Rule(CODE, check)
