"""Operators between texts, with the fewest parentheses: for each language a table of what holds how tightly.

One scale serves both: C++'s comparisons hold more tightly than its bit operations, Python's less, but either inside of the
other is in parentheses in C++ anyway.
"""

from __future__ import annotations

from collections.abc import Mapping

from opgen.records import dataclass
from opgen.spec.kernel_written import OPERATORS, Tightness

Piece = tuple[str, Tightness]
"""A text, and how tightly it holds together."""


@dataclass(frozen=True, slots=True)
class Infix:
    """An operator between two operands.

    Attributes:
        own: how tightly it holds.
        left: how tightly a left operand holds that needs no parentheses.
        right: the same of a right operand.
        chains: whether a left operand needs none that holds as tightly as the operator.
    """

    own: Tightness
    left: Tightness
    right: Tightness
    chains: bool = True


Language = Mapping[str, Infix]

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def _above(own: Tightness) -> Infix:
    return Infix(own, Tightness(own + 1), Tightness(own + 1))


PYTHON: Language = {
    "or": _above(Tightness.OR),
    "and": _above(Tightness.AND),
    **dict.fromkeys(_COMPARISONS, Infix(Tightness.COMPARISON, Tightness.BIT_OR, Tightness.BIT_OR, chains=False)),
    **{operator: _above(own) for operator, own in OPERATORS.items()},
    "**": Infix(Tightness.POWER, Tightness.ATOM, Tightness.SIGN, chains=False),
}
"""Source: "Operator precedence" of Python's language reference; Triton's language is Python."""


def _marked(own: Tightness, operand: Tightness) -> Infix:
    return Infix(own, operand, operand)


CPP: Language = {
    "||": _marked(Tightness.OR, Tightness.COMPARISON),
    "&&": _marked(Tightness.AND, Tightness.COMPARISON),
    **dict.fromkeys(_COMPARISONS, Infix(Tightness.COMPARISON, Tightness.SUM, Tightness.SUM, chains=False)),
    "|": _marked(Tightness.BIT_OR, Tightness.SIGN),
    "^": _marked(Tightness.BIT_XOR, Tightness.SIGN),
    "&": _marked(Tightness.BIT_AND, Tightness.SIGN),
    **dict.fromkeys(("<<", ">>"), _marked(Tightness.SHIFT, Tightness.SIGN)),
    **{operator: _above(OPERATORS[operator]) for operator in ("+", "-", "*", "/", "%")},
}
"""More than the grammar asks for: what ``-Wparentheses`` of GCC and Clang wants marked, ``&&`` in ``||`` and the like."""


def held(piece: Piece, at_least: Tightness) -> str:
    """Return a text, in parentheses where it holds more loosely than ``at_least``."""
    text, tightness = piece
    return f"({text})" if tightness < at_least else text


def joined(language: Language, operator: str, first: Piece, *others: Piece) -> Piece:
    """Join operands by an operator, grouped from the left."""
    rule = language[operator]
    for other in others:
        left = first[0] if rule.chains and first[1] == rule.own else held(first, rule.left)
        first = f"{left} {operator} {held(other, rule.right)}", rule.own
    return first


def signed(sign: str, operand: Piece) -> Piece:
    """Put ``-``, ``~`` or ``!`` in front.

    Two ``-`` in a row would be C++'s decrement; powers are in parentheses as Python's formatters put them there.
    """
    text = held(operand, Tightness.SIGN)
    is_marked = (text.startswith("-") and sign == "-") or operand[1] == Tightness.POWER
    return f"{sign}({text})" if is_marked else f"{sign}{text}", Tightness.SIGN


def choice(condition: Piece, then: Piece, otherwise: Piece) -> Piece:
    """Render ``a ? b : c`` of C++."""
    parts = held(condition, Tightness.OR), held(then, Tightness.OR), held(otherwise, Tightness.CHOICE)
    return "{} ? {} : {}".format(*parts), Tightness.CHOICE
