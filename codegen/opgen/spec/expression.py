"""The syntax tree of size expressions and conditions in ``tensors`` and ``checks``.

Both have the same nodes: ``2*n``, ``ceil(n/block)``, ``0 < k <= experts``, ``mode in ('sum', 'mean')``. Spans are
offsets in the text that the expression was parsed from, and take no part in equality.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from opgen.records import dataclass
from opgen.source import Span

_SPAN = field(compare=False, repr=False, default=Span(0, 0))

BinaryOperator: TypeAlias = Literal["+", "-", "*", "/", "//", "%"]
ComparisonOperator: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, a string, ``True``, ``False`` or ``None``."""

    value: int | float | str | bool | None
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Name:
    """A size variable, a scalar argument, or (in a comparison with a ``ScalarType``) the name of a dtype."""

    name: str
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Item:
    """``pad[0]``: one element of a list argument. ``index`` may be negative."""

    name: str
    index: int
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Size:
    """``x.size(0)`` or ``xs[0].size(-1)``: a size read from a tensor argument; ``element`` is the index into a list."""

    tensor: str
    element: int | None
    dim: int
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Call:
    """``ceil(a/b)``, ``min(...)``, ``max(...)``, ``prod(batch)``, ``len(xs)``, ``rank(x)``, ``numel(x)``, ``given(x)``.

    The argument of ``ceil`` is a ``Binary`` with the operator ``/``, which is legal nowhere else in a size.
    """

    function: Literal["ceil", "min", "max", "prod", "len", "rank", "numel", "given"]
    arguments: tuple[Expression, ...]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Negative:
    """``-n``."""

    operand: Expression
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Binary:
    """An arithmetic operation; ``//`` and ``%`` are floor division and its remainder, as in Python."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Comparison:
    """``a < b <= c``: a chain, as in Python; one operator fewer than operands."""

    operators: tuple[ComparisonOperator, ...]
    operands: tuple[Expression, ...]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Membership:
    """``x in (a, b)`` or ``x not in (a, b)``; the choices are constants or dtype names."""

    operand: Expression
    choices: tuple[Expression, ...]
    negated: bool = False
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Not:
    """``not a``."""

    operand: Expression
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Logical:
    """``a and b`` or ``a or b``, two operands or more."""

    operator: Literal["and", "or"]
    operands: tuple[Expression, ...]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Conditional:
    """``(a if condition else b)``."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span = _SPAN


Expression: TypeAlias = (
    Constant | Name | Item | Size | Call | Negative | Binary | Comparison | Membership | Not | Logical | Conditional
)


def opposite(condition: Expression) -> Expression:
    """Return the negation of a condition: ``mode != 'a'`` for ``mode == 'a'``."""
    match condition:
        case Not(operand):
            return operand
        case Comparison(("==" | "!=" as operator,), operands):
            return Comparison(("!=" if operator == "==" else "==",), operands)
        case Membership(operand, choices, negated):
            return Membership(operand, choices, not negated)
    return Not(condition)
