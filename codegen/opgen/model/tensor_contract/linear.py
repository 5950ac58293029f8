"""Splits sizes that are linear in one unknown into offset and factor: ``2*d + pad`` into ``pad`` and ``2``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from opgen.spec.expression import (
    Binary,
    Call,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Logical,
    Membership,
    Name,
    Negative,
    Not,
)

Linear = tuple[Expression | None, Expression | None]
"""``(offset, factor)`` of ``offset + factor * unknown``; ``None`` stands for 0."""


def operands(expression: Expression) -> tuple[Expression, ...]:
    """Return the operands of an expression, left to right."""
    match expression:
        case Call(_, parts) | Comparison(_, parts) | Logical(_, parts):
            return parts
        case Negative(operand) | Not(operand):
            return (operand,)
        case Membership(operand, choices):
            return (operand, *choices)
        case Binary(_, left, right):
            return (left, right)
        case Conditional(condition, then, otherwise):
            return (condition, then, otherwise)
    return ()


def names_in(expression: Expression) -> Iterator[str]:
    """Yield the names in an expression that may be sizes, each time they occur."""
    if isinstance(expression, Name):
        yield expression.name
    if isinstance(expression, Call) and expression.function in ("rank", "numel", "given"):
        return  # the operands of these functions are arguments, not sizes
    for operand in operands(expression):
        yield from names_in(operand)


def linear_in(expression: Expression, unknown: str) -> Linear | None:  # noqa: PLR0911 - one case an operator
    """Split an expression into offset and factor of a name; ``None`` if it isn't linear in it."""
    if unknown not in names_in(expression):
        return expression, None
    match expression:
        case Name():
            return None, Constant(1)
        case Negative(operand):
            part = linear_in(operand, unknown)
            return part and (_negative(part[0]), _negative(part[1]))
        case Binary("+" | "-" as operator, left, right):
            first, second = linear_in(left, unknown), linear_in(right, unknown)
            if first is None or second is None:
                return None
            return _sum(operator, first[0], second[0]), _sum(operator, first[1], second[1])
        case Binary("*", left, right):
            return _scaled(left, right, unknown) or _scaled(right, left, unknown)
    return None


def _scaled(scale: Expression, scaled: Expression, unknown: str) -> Linear | None:
    if unknown in names_in(scale):
        return None
    part = linear_in(scaled, unknown)
    return part and (product(scale, part[0]), product(scale, part[1]))


def _negative(part: Expression | None) -> Expression | None:
    return product(Constant(-1), part)


def _sum(operator: Literal["+", "-"], left: Expression | None, right: Expression | None) -> Expression | None:
    if left is None:
        return _negative(right) if operator == "-" else right
    if right is None:
        return left
    match left, right:
        case Constant(int() as one), Constant(int() as other):
            return Constant(one + other if operator == "+" else one - other)
    return Binary(operator, left, right)


def product(left: Expression, right: Expression | None) -> Expression | None:
    """Multiply two expressions, folding constants; ``None`` stands for 0."""
    if right is None:
        return None
    match left, right:
        case Constant(int() as one), Constant(int() as other):
            return Constant(one * other)
        case Constant(1), _:
            return right
        case _, Constant(1):
            return left
        case Constant(-1), _:
            return Negative(right)
    return Binary("*", left, right)
