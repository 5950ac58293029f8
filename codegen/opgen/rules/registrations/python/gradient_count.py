"""OPG566: a formula that returns another number of gradients than the op has inputs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.python.bodies import Returned, body_of
from opgen.readers.registrations import Function
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.examples import BACKWARD, scale
from opgen.rules.registrations.python.formulas import Formula, formulas
from opgen.rules.registrations.rule import RegistrationRule, found_at
from opgen.words import counted

CODE = Code(
    id="OPG566",
    name="gradient-count",
    severity=Severity.ERROR,
    summary="A backward formula returns, or takes, the wrong number of gradients.",
    why=(
        "Autograd raises in the first backward pass; that it tolerates too many today is planned to end. A formula "
        "returns one value for each positional argument, `None` for those without a gradient, and takes `ctx` and "
        "one gradient for each result (`make_autograd_impl` in `torch/_library/autograd.py`)."
    ),
    bad=scale(backward=BACKWARD.replace(", None", "")),
    good=scale(),
    remedy="return one value for each positional argument, `None` for those without a gradient",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Count the values of each `return` of a formula, and its parameters."""
    for formula in formulas(joined):
        if formula.backward is not None and formula.backward.parameters is not None:
            yield from _returned(formula, formula.backward)
            yield from _taken(formula, formula.backward)


def _returned(formula: Formula, backward: Function) -> Iterator[Diagnostic]:
    inputs = [argument.name for argument in formula.op.schema.arguments if not argument.kwarg_only]
    gradients = {parameter.name for parameter in (backward.parameters or ())[1:]}
    for returned in body_of(backward).returns:
        count = _count(returned, gradients)
        if count is not None and count != len(inputs):
            message = (
                f"the formula returns {counted(count, 'gradient')}, "
                f"the op has {counted(len(inputs), 'positional argument')}: {', '.join(inputs)}"
            )
            yield found_at(CODE, formula.op.qualified_name, message, returned.location)


def _taken(formula: Formula, backward: Function) -> Iterator[Diagnostic]:
    parameters, results = backward.parameters or (), len(formula.op.schema.returns)
    if any(parameter.kind != "positional" or parameter.default is not None for parameter in parameters):
        return
    if len(parameters) != 1 + results:
        message = f"the formula takes {counted(len(parameters), 'parameter')}, expected {1 + results}: ctx and a gradient for each result"
        help_ = "take `ctx` and one gradient for each result of the op"
        yield found_at(CODE, formula.op.qualified_name, message, backward.location, help=help_)


def _count(returned: Returned, gradients: set[str]) -> int | None:
    """Return the number of gradients that a `return` has, ``None`` if the text does not show it."""
    if returned.sequence == "list" or any(isinstance(value, ast.Starred) for value in returned.values):
        return None
    if returned.sequence == "tuple":
        return len(returned.values)
    return 1 if _is_one(returned.values[0], gradients) else None


def _is_one(node: ast.expr, gradients: set[str]) -> bool:
    """Whether an expression is a single value: a gradient, an operation on one, or ``None``."""
    match node:
        case ast.Name(id=name):
            return name in gradients
        case ast.BinOp(left=left, right=right):
            return _is_one(left, gradients) or _is_one(right, gradients)
        case ast.UnaryOp(operand=operand):
            return _is_one(operand, gradients)
    return isinstance(node, ast.Constant) and node.value is None


RULE = RegistrationRule(CODE, check)
