"""Traversals of an expression tree."""

from __future__ import annotations

from collections.abc import Iterator

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


def children(expression: Expression) -> tuple[Expression, ...]:
    """Return the operands of a node in the order in which they are evaluated, without the choices of a membership."""
    match expression:
        case Constant() | Name() | Item() | Size():
            return ()
        case Call(_, operands) | Comparison(_, operands) | Logical(_, operands):
            return operands
        case Negative(operand) | Not(operand) | Membership(operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case Conditional(condition, then, otherwise):
            return (condition, then, otherwise)


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield a node and all nodes below it, in pre-order."""
    yield expression
    for child in children(expression):
        yield from walk(child)
