"""Run the tables of schema.lark over the tokens of a schema, or of one argument or return."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from opgen.lalr.tables import END, Row, Rule, Tables, load
from opgen.lalr.token import Token
from opgen.schema.lexer import tokenize
from opgen.schema.tree import TreeBuilder

Start: TypeAlias = Literal["schema", "argument", "result"]

TABLES = Path(__file__).with_name("schema.json")
"""Made by ``lark_parser.tables``; a test compares the two."""

_BUILDER = TreeBuilder()


class _Inlined(list[Any]):
    """The children of a rule that has no node of its own."""


@cache
def _tables() -> Tables:
    return load(TABLES)


def parse(text: str, start: Start) -> Any:
    """Return what ``TreeBuilder`` makes of ``start``, or ``None`` where the text is none.

    The parts of a schema are read as if in brackets.
    """
    tables = _tables()
    given = tokenize(text, tables.lexis["terminals"], depth=0 if start == "schema" else 1)
    end = Token(END, "", len(text), len(text))

    def scan(_state: Row) -> Token:
        return next(given, end)

    return tables.parse(start, scan, _reduce)


def _reduce(rule: Rule, values: list[Any]) -> Any:
    first = values[0] if values else None
    # A list that gets an item with each reduction grows in place: nothing else holds it.
    children = first if type(first) is _Inlined else _Inlined()
    for value in values:
        if type(value) is not _Inlined:
            children.append(value)
        elif value is not children:
            children += value
    if not rule.name:
        return children
    return children[0] if rule.is_bare and len(children) == 1 else getattr(_BUILDER, rule.name)(children)


def tokens(text: str) -> Iterator[Token]:
    """Yield all tokens of a schema, right or wrong."""
    return tokenize(text, _tables().lexis["terminals"])


def is_word(terminal: str) -> bool:
    """Whether a terminal can be a name."""
    return terminal == "IDENT" or terminal in _KEYWORDS


def expectation(terminals: frozenset[str]) -> str:
    """Say in words what could come next."""
    if terminals >= _TYPE_STARTS:
        others = terminals - _TYPE_STARTS - _KEYWORDS
        return " or ".join(["a type", *sorted(map(_in_words, others))])
    return " or ".join(sorted(set(map(_in_words, terminals))))


def _in_words(terminal: str) -> str:
    if is_word(terminal):
        return "a name"
    literals = {name: literal for literal, name in _tables().lexis["terminals"].items()}
    return _READABLE.get(terminal) or f"'{literals[terminal]}'"


_KEYWORDS = frozenset({"TENSOR", "FUTURE", "AWAIT", "RREF", "DICT", "UNION", "__TORCH__"})
_TYPE_STARTS = frozenset({"IDENT", "NONE", "NONETYPE", "LPAR"})
_READABLE = {
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "NEWLINE": "the end",
    "$END": "the end",
    "LIST_OPEN": "'('",
}
