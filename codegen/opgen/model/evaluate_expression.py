"""The value of an expression, in pure Python."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from opgen.model.sample_values import DtypeValue, SampleValue, TensorValue
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
    """A value that an expression reads is not there: a division by 0, an element beyond the end of a list."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What names stand for: sizes come before arguments, and a name that is neither is a dtype."""

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
"""``/`` stands only inside of ``ceil``, so that it is computed as the rounded quotient at once."""


def evaluate_expression(expression: Expression, environment: Environment) -> Any:  # noqa: C901, PLR0911, PLR0912 - one case a node
    """Compute an expression.

    Raises:
        UnreadableError: the expression has no value for these arguments.
    """

    def value(part: Expression) -> Any:
        return evaluate_expression(part, environment)

    match expression:
        case Constant(constant):
            return constant
        case Name(name):
            return environment.value(name)
        case Item(name, index):
            return element_of(environment.value(name), index, name)
        case Size(tensor, element, dim):
            return element_of(environment.tensor(tensor, element).shape, dim, f"{tensor}.shape")
        case Call(function, parts):
            return _call(function, parts, environment)
        case Negative(operand):
            return -value(operand)
        case Binary(symbol, left, right):
            divided, divisor = value(left), value(right)
            if symbol in ("/", "//", "%") and divisor == 0:
                raise UnreadableError("division by 0")
            return _COMPUTE[symbol](divided, divisor)
        case Comparison(operators, parts):
            values = [value(part) for part in parts]
            return all(
                _COMPARE[symbol](left, right)
                for symbol, left, right in zip(operators, values, values[1:], strict=False)
            )
        case Membership(operand, choices, negated):
            return (value(operand) in [value(choice) for choice in choices]) is not negated
        case Not(operand):
            return not value(operand)
        case Logical("and", parts):
            return all(value(part) for part in parts)
        case Logical("or", parts):
            return any(value(part) for part in parts)
        case Conditional(condition, then, otherwise):
            return value(then) if value(condition) else value(otherwise)
    raise TypeError(f"{expression!r} is no expression")


def _call(function: str, parts: tuple[Expression, ...], environment: Environment) -> Any:
    values = [evaluate_expression(part, environment) for part in parts]
    if function in ("min", "max"):
        return min(values) if function == "min" else max(values)
    compute: Mapping[str, Callable[[Any], Any]] = {
        "ceil": lambda quotient: quotient,
        "prod": prod,
        "len": len,
        "rank": lambda tensor: len(tensor.shape),
        "numel": lambda tensor: prod(tensor.shape),
        "given": lambda value: value is not None,
    }
    return compute[function](values[0])
