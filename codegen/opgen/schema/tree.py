# ruff: noqa: D102 - the rules in schema.lark are what the callbacks do
"""Builds types and raw arguments from grammar rules. Nothing is checked here; see checks.py and defaults.py."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from opgen.lalr.token import Token
from opgen.records import dataclass
from opgen.schema.nodes import (
    Annotation,
    BaseType,
    ClassType,
    GenericType,
    ListType,
    OperatorName,
    OptionalType,
    TupleType,
    Type,
)
from opgen.schema.numbers import NoNumberError, OutOfRangeError, stoll
from opgen.source import Span


@dataclass(frozen=True, slots=True)
class RawConstant:
    """One constant of a default as written; the sign is part of a number."""

    kind: Literal["number", "string", "name", "constant"]
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class RawList:
    """``[a, b]`` in a default."""

    items: tuple[RawConstant, ...]
    span: Span


RawDefault: TypeAlias = RawConstant | RawList


@dataclass(frozen=True, slots=True)
class RawArgument:
    """An argument, or a return, which may lack a name and has no default.

    ``bad_size`` is the size of a sized list that PyTorch can't read; the type then has no size.
    """

    type: Type
    name: Token | None
    default: RawDefault | None
    bad_size: Token | None
    span: Span


RawItem: TypeAlias = RawArgument | Token
"""An item between commas; a token is ``*`` or ``...``."""


@dataclass(frozen=True, slots=True)
class RawSchema:
    """A whole schema."""

    name: OperatorName
    arguments: tuple[RawItem, ...]
    returns: tuple[RawItem, ...]
    returns_span: Span


_PUNCTUATION = frozenset("()[],|")


def token_span(token: Token) -> Span:
    """Return the span of a token."""
    return Span(token.start_pos, token.end_pos)


def _span(first: Any, last: Any) -> Span:
    """Return the span from one token or node to another."""
    begin, end = (token_span(part) if isinstance(part, Token) else part.span for part in (first, last))
    return Span(begin.start, end.end)


def _items(children: list[Any]) -> tuple[Any, ...]:
    """Return the children without brackets, commas and bars."""
    return tuple(child for child in children if not (isinstance(child, Token) and child in _PUNCTUATION))


class TreeBuilder:
    """The callbacks for the rules of schema.lark; the grammar keeps all tokens, so that spans are exact."""

    # --- the frame ---------------------------------------------------------------------------------------------------
    def schema(self, children: list[Any]) -> RawSchema:
        name, _, arguments, _, _, (returns, returns_span), *_ = children
        return RawSchema(name, arguments, returns, returns_span)

    def operator_name(self, children: list[Any]) -> OperatorName:
        text = "".join(children)
        qualified, _, overload = text.partition(".")
        namespace, _, name = qualified.rpartition("::")
        return OperatorName(name, overload, namespace or None, _span(children[0], children[-1]))

    def arguments(self, children: list[Any]) -> tuple[RawItem, ...]:
        return _items(children)

    def returns(self, children: list[Any]) -> tuple[tuple[RawItem, ...], Span]:
        return _items(children), _span(children[0], children[-1])

    def argument(self, children: list[Any]) -> RawArgument:
        first, *rest = children
        type_, bad_size = first if isinstance(first, tuple) else (first, None)
        name = rest[0] if rest else None
        default = rest[2] if len(rest) > 1 else None
        return RawArgument(type_, name, default, bad_size, _span(type_, (type_, *rest)[-1]))

    result = argument

    # --- types -------------------------------------------------------------------------------------------------------
    def base_type(self, children: list[Any]) -> BaseType:
        name, annotation = (*children, None)[:2]
        return BaseType(str(name), annotation, _span(name, children[-1]))

    def base_name(self, children: list[Token]) -> Token:
        first, last = children[0], children[-1]
        return Token("IDENT", "".join(children), first.start_pos, last.end_pos)

    def tuple_type(self, children: list[Any]) -> TupleType:
        return TupleType(_items(children), _span(children[0], children[-1]))

    def generic_type(self, children: list[Any]) -> GenericType:
        name, *parts = _items(children)
        annotation = parts.pop() if isinstance(parts[-1], Annotation) else None
        return GenericType(str(name), tuple(parts), annotation, _span(name, children[-1]))

    def class_type(self, children: list[Token]) -> ClassType:
        return ClassType("".join(children), _span(children[0], children[-1]))

    def list_type(self, children: list[Any]) -> ListType:
        element, _, _, annotation = (*children, None)[:4]
        return ListType(element, None, annotation, _span(element, children[-1]))

    def optional_type(self, children: list[Any]) -> OptionalType:
        return OptionalType(children[0], _span(*children))

    def sized_list(self, children: list[Any]) -> tuple[Type, Token | None]:
        element, _, number, *rest = children
        annotation = next((child for child in rest if isinstance(child, Annotation)), None)
        size = _int32(number)
        list_end = annotation or rest[0]
        sized: Type = ListType(element, size, annotation, _span(element, list_end))
        if rest[-1] == "?":
            sized = OptionalType(sized, _span(element, rest[-1]))
        return sized, number if size is None else None

    # --- annotations -------------------------------------------------------------------------------------------------
    def annotation(self, children: list[Any]) -> Annotation:
        sets = [child for child in children if isinstance(child, tuple)]
        before, after = (*sets, None, None)[:2]
        return Annotation(before or (), after, "!" in children, _span(children[0], children[-1]))

    def alias_sets(self, children: list[Token]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(str(child) for child in _items(children)))

    # --- defaults ----------------------------------------------------------------------------------------------------
    def constant_list(self, children: list[Any]) -> RawList:
        return RawList(_items(children), _span(children[0], children[-1]))

    def constant(self, children: list[Token]) -> RawConstant:
        last = children[-1]
        kind = {"NUMBER": "number", "STRING": "string", "TRUE": "constant", "FALSE": "constant", "NONE": "constant"}
        return RawConstant(kind.get(last.type, "name"), "".join(children), _span(children[0], last))  # type: ignore[arg-type]  # the values are the literals

    def name(self, children: list[Token]) -> Token:
        return children[0]


def _int32(number: Token) -> int | None:
    """Return the size as PyTorch stores it, by ``std::stoll`` truncated to 32 bits; ``None`` if that throws."""
    try:
        return (stoll(number) + 2**31) % 2**32 - 2**31
    except (NoNumberError, OutOfRangeError):
        return None
