"""What conditions say about optional arguments: in ``not given(a) or a_size > 0`` the right side may use ``a``."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.spec.expression import Call, Comparison, Expression, Logical, Name, Not


def given_when(condition: Expression, *, holds: bool) -> frozenset[str]:
    """Return the arguments that are given whenever a condition holds, or does not hold."""
    match condition:
        case Call("given", (Name(name),)):
            return frozenset({name}) if holds else frozenset()
        case Not(operand):
            return given_when(operand, holds=not holds)
        case Logical(operator, operands) if (operator == "and") is holds:
            return frozenset().union(*(given_when(operand, holds=holds) for operand in operands))
    return frozenset()


def implications(conditions: Iterable[Expression]) -> frozenset[tuple[str, str]]:
    """Return the pairs (a, b) for which conditions that always hold say: where a is given, b is."""
    pairs: set[tuple[str, str]] = set()
    for condition in conditions:
        match condition:
            case Comparison(("==",), (Call("given", (Name(left),)), Call("given", (Name(right),)))):
                pairs |= {(left, right), (right, left)}
            case Logical("or", (Not(Call("given", (Name(name),))), other) | (other, Not(Call("given", (Name(name),))))):
                pairs |= {(name, present) for present in given_when(other, holds=True)}
    return frozenset(pairs)
