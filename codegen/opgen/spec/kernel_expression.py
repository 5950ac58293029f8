"""The syntax tree of an entry of ``pointwise`` or ``reduce``: the value that a kernel computes at a point.

Constants and names are nodes of size expressions (``opgen.spec.expression``). Spans are offsets in the text that the
expression was parsed from, and take no part in equality.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.expression import ComparisonOperator, Constant, Name

_SPAN = field(compare=False, repr=False, default=Span(0, 0))

BinaryOperator: TypeAlias = Literal["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
UnaryOperator: TypeAlias = Literal["-", "~", "not"]


@dataclass(frozen=True, slots=True)
class Unary:
    """``-x``, ``~x``, ``not x``."""

    operator: UnaryOperator
    operand: Written
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Binary:
    """An arithmetic or bitwise operation."""

    operator: BinaryOperator
    left: Written
    right: Written
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Comparison:
    """``a < b <= c``: a chain, as in Python; one operator fewer than operands."""

    operators: tuple[ComparisonOperator, ...]
    operands: tuple[Written, ...]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Logical:
    """``a and b`` or ``a or b``, two operands or more."""

    operator: Literal["and", "or"]
    operands: tuple[Written, ...]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Conditional:
    """``a if condition else b``, point by point."""

    condition: Written
    then: Written
    otherwise: Written
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Slice:
    """``x[..., start:stop]``: a slice of a tensor along its last dim; a bound that is left out is ``None``."""

    tensor: str
    start: Written | None
    stop: Written | None
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Pack:
    """``*batch`` as the axes of a reduction."""

    name: str
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Keyword:
    """``correction=0``."""

    name: str
    value: Written
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function, a cast or a reduction; ``name`` is the span of its name."""

    function: str
    arguments: tuple[Written | Pack | Keyword, ...]
    span: Span = _SPAN
    name: Span = field(compare=False, repr=False, default=Span(0, 0))


Written: TypeAlias = Constant | Name | Unary | Binary | Comparison | Logical | Conditional | Slice | Call


def parts(node: Written | Pack | Keyword) -> tuple[Written, ...]:
    """Return the operands of a node, left to right; not the bounds of a slice, which are sizes."""
    match node:
        case Unary(_, operand) | Keyword(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case Comparison(_, operands) | Logical(_, operands):
            return operands
        case Conditional(condition, then, otherwise):
            return (condition, then, otherwise)
        case Call(_, arguments):
            return tuple(each for argument in arguments for each in _values(argument))
    return ()


def _values(argument: Written | Pack | Keyword) -> tuple[Written, ...]:
    if isinstance(argument, Pack):
        return ()
    return (argument.value,) if isinstance(argument, Keyword) else (argument,)
