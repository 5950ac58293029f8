"""Joins rendered texts by operators with the fewest parentheses, by a table of precedences for each language.

Both languages share one scale of ``Tightness``. C++ differs from Python in that comparisons bind more tightly than bit
operations; that needs no scale of its own, since in C++ one inside of the other gets parentheses in any case.
"""

from __future__ import annotations

from collections.abc import Mapping

from opgen.records import dataclass
from opgen.spec.kernel_written import OPERATORS, Tightness

Piece = tuple[str, Tightness]
"""A rendered text, and the precedence of its outermost operator."""


@dataclass(frozen=True, slots=True)
class Infix:
    """A binary operator.

    Attributes:
        own: its precedence.
        left: the lowest precedence of a left operand without parentheses.
        right: the lowest precedence of a right operand without parentheses.
        chains: whether the result of the same operator may be a left operand without parentheses, as in ``a + b + c``.
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
"""Has more parentheses than the grammar needs: also those that ``-Wparentheses`` of GCC and Clang asks for."""


def held(piece: Piece, at_least: Tightness) -> str:
    """Return the text of a piece, in parentheses where its precedence is below ``at_least``."""
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

    An operand that begins with ``-`` is in parentheses, since ``--`` is C++'s decrement; so is a power, as in code that
    ``ruff format`` has formatted.
    """
    text = held(operand, Tightness.SIGN)
    is_marked = (text.startswith("-") and sign == "-") or operand[1] == Tightness.POWER
    return f"{sign}({text})" if is_marked else f"{sign}{text}", Tightness.SIGN


def choice(condition: Piece, then: Piece, otherwise: Piece) -> Piece:
    """Render ``a ? b : c`` of C++."""
    parts = held(condition, Tightness.OR), held(then, Tightness.OR), held(otherwise, Tightness.CHOICE)
    return "{} ? {} : {}".format(*parts), Tightness.CHOICE
