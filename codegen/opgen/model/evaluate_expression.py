"""Evaluates an expression of a contract on concrete values, in pure Python."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from opgen.model.sample_values import DtypeValue, SampleValue, TensorValue
from opgen.records import dataclass
from opgen.spec.expression import (
    Binary,
    Call,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Item,
    Logical,
    Membership,
    Name,
    Negative,
    Not,
    Size,
)


class UnreadableError(Exception):
    """An expression has no value for these arguments: a division by 0, or an element beyond the end of a list."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The values of names: sizes hide arguments, and a name that is neither is a dtype."""

    arguments: Mapping[str, SampleValue]
    sizes: Mapping[str, int | tuple[int, ...]]

    def value(self, name: str) -> Any:
        """Return the value of a name."""
        if name in self.sizes:
            return self.sizes[name]
        return self.arguments[name] if name in self.arguments else DtypeValue(name)

    def tensor(self, name: str, element: int | None) -> TensorValue:
        """Return a tensor argument, or an element of a list of them."""
        value = self.value(name)
        found = value if element is None else element_of(value, element, name)
        if not isinstance(found, TensorValue):
            raise UnreadableError(f"'{name}' is no tensor here")
        return found


def element_of(values: Any, index: int, name: str) -> Any:
    """Return an element of a list argument.

    Raises:
        UnreadableError: the list is too short.
    """
    if not -len(values) <= index < len(values):
        raise UnreadableError(f"'{name}' has {len(values)} elements, expected an element {index}")
    return values[index]


_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMPUTE: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "/": lambda left, right: -(-left // right),
}
"""``/`` occurs only as the argument of ``ceil``, so it is computed as the quotient rounded up."""


def evaluate_expression(expression: Expression, environment: Environment) -> Any:
    """Compute an expression.

    Raises:
        UnreadableError: the expression has no value for these arguments.
    """
    return _EVALUATE[type(expression)](expression, environment)


def _binary(node: Binary, environment: Environment) -> Any:
    left, right = evaluate_expression(node.left, environment), evaluate_expression(node.right, environment)
    if right == 0 and node.operator in ("/", "//", "%"):
        raise UnreadableError("division by 0")
    return _COMPUTE[node.operator](left, right)


def _comparison(node: Comparison, environment: Environment) -> bool:
    values = [evaluate_expression(part, environment) for part in node.operands]
    triples = zip(node.operators, values, values[1:], strict=False)
    return all(_COMPARE[operator](left, right) for operator, left, right in triples)


def _membership(node: Membership, environment: Environment) -> bool:
    choices = [evaluate_expression(choice, environment) for choice in node.choices]
    return (evaluate_expression(node.operand, environment) in choices) is not node.negated


def _logical(node: Logical, environment: Environment) -> bool:
    values = (evaluate_expression(part, environment) for part in node.operands)
    return all(values) if node.operator == "and" else any(values)


def _conditional(node: Conditional, environment: Environment) -> Any:
    holds = evaluate_expression(node.condition, environment)
    return evaluate_expression(node.then if holds else node.otherwise, environment)


def _call(node: Call, environment: Environment) -> Any:
    values = [evaluate_expression(part, environment) for part in node.arguments]
    if node.function in ("min", "max"):
        return min(values) if node.function == "min" else max(values)
    return _FUNCTIONS[node.function](values[0])


_FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "ceil": lambda quotient: quotient,
    "prod": prod,
    "len": len,
    "rank": lambda tensor: len(tensor.shape),
    "numel": lambda tensor: prod(tensor.shape),
    "given": lambda value: value is not None,
}
_EVALUATE: Mapping[type, Callable[[Any, Environment], Any]] = {
    Constant: lambda node, _: node.value,
    Name: lambda node, environment: environment.value(node.name),
    Item: lambda node, environment: element_of(environment.value(node.name), node.index, node.name),
    Size: lambda node, environment: element_of(
        environment.tensor(node.tensor, node.element).shape, node.dim, f"{node.tensor}.shape"
    ),
    Call: _call,
    Negative: lambda node, environment: -evaluate_expression(node.operand, environment),
    Binary: _binary,
    Comparison: _comparison,
    Membership: _membership,
    Not: lambda node, environment: not evaluate_expression(node.operand, environment),
    Logical: _logical,
    Conditional: _conditional,
}
"""The evaluators by node type; faster than ``match``, as the search for samples evaluates very many conditions."""
