"""OPG503: a gradient formula for something that can't have a gradient."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.gradients.dtypes import may_require_grad
from opgen.model.gradients.resolve import NON_DIFFERENTIABLE
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, did_you_mean, finding, listed, ops_yaml, spelling_fix

CODE = Code(
    id="OPG503",
    name="gradient-argument",
    severity=Severity.ERROR,
    summary=(
        "A gradient formula is given for something that is not a tensor argument of the op, or can't have a gradient."
    ),
    why=(
        "The formula would never be used, and the argument that was meant would get no gradient. Tensors of integers and "
        "booleans have none."
    ),
    bad=ops_yaml("twice(Tensor src) -> Tensor\nautograd: {scr: grad * 2}"),
    good=ops_yaml("twice(Tensor src) -> Tensor\nautograd: {src: grad * 2}"),
    remedy="name tensor arguments of the schema",
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Look each name of each formula up among the arguments of the functional op of the family."""
    functional = library.functional_form(op)
    if not isinstance(op.spec.autograd, tuple) or functional is None:
        return
    tensors = [each.name for each in functional.tensor_arguments if may_require_grad(functional, each.name)]
    choices = f"{listed(tensors)} can have gradients" if tensors else "no argument can have a gradient"
    for formula in op.spec.autograd:
        is_statement = formula.formula.value.strip() == NON_DIFFERENTIABLE
        for name in formula.arguments:
            what = _what_is_wrong(functional, name.value, may_be_integral=is_statement)
            if what is not None:
                message = f"`autograd` has a formula for '{name.value}', which {what}"
                help_ = did_you_mean(name.value, tensors, choices)
                yield finding(CODE, op, message, name.locate(), help=help_, fix=spelling_fix(name, tensors))


def _what_is_wrong(op: Op, name: str, *, may_be_integral: bool) -> str | None:
    argument = op.argument.get(name)
    if argument is None:
        is_destination = name in {output.name for output in op.outputs}
        return "is what the op computes" if is_destination else "is no argument of the op"
    if not (argument.is_tensor or argument.is_tensor_list):
        return "is no tensor"
    return None if may_be_integral or may_require_grad(op, name) else "has no dtype with gradients"


RULE = Rule(CODE, check)
