"""Predicates and traversals of expressions that renderers and checks share."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.spec.expression import (
    Binary,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Item,
    Logical,
    Name,
    Size,
)
from opgen.spec.walk import children, walk


def is_none(expression: Expression) -> bool:
    """Whether it is the constant ``None``."""
    return isinstance(expression, Constant) and expression.value is None


def names_in(expression: Expression) -> frozenset[str]:
    """Return every name that an expression reads, list arguments and tensors included."""
    found = set()
    for node in walk(expression):
        match node:
            case Name(name) | Item(name, _) | Size(name, _, _):
                found.add(name)
    return frozenset(found)


def certain(expression: Expression) -> Iterator[Expression]:
    """Yield the nodes that every evaluation reaches: not those behind ``and``, ``or`` or ``if``."""
    yield expression
    operands = children(expression)
    for child in operands[:1] if isinstance(expression, Logical | Conditional) else operands:
        yield from certain(child)


def divisor(expression: Expression) -> Expression | None:
    """Return the divisor of a ``/``, ``//``, ``%`` or ``ceil``; ``None`` for other nodes, and for a constant but 0."""
    if isinstance(expression, Binary) and expression.operator in ("/", "//", "%"):
        right = expression.right
        if not isinstance(right, Constant) or right.value == 0:
            return right
    return None


def conjuncts(condition: Expression) -> Iterator[Expression]:
    """Split a condition into parts that must all hold: ``0 < k <= n and ok`` is ``0 < k``, ``k <= n`` and ``ok``."""
    match condition:
        case Logical("and", operands):
            for operand in operands:
                yield from conjuncts(operand)
        case Comparison(operators, operands) if len(operators) > 1:
            for place, operator in enumerate(operators):
                yield Comparison((operator,), operands[place : place + 2])
        case _:
            yield condition
