"""Runs the parse tables of schema.lark over the tokens of a schema, or of a single argument or return."""

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
"""The parse tables, written by ``lark_parser.tables``; a test checks that they are current."""

_BUILDER = TreeBuilder()


class _Inlined(list[Any]):
    """The children of a rule without a node of its own, which become children of the rule around it."""


@cache
def _tables() -> Tables:
    return load(TABLES)


def parse(text: str, start: Start) -> Any:
    """Parse a text by the rule ``start`` with ``TreeBuilder``; return ``None`` if the grammar doesn't accept it.

    A single argument or return is tokenised as if inside of brackets, where line breaks are blanks.
    """
    tables = _tables()
    given = tokenize(text, tables.lexis["terminals"], depth=0 if start == "schema" else 1)
    end = Token(END, "", len(text), len(text))

    def scan(_state: Row) -> Token:
        return next(given, end)

    return tables.parse(start, scan, _reduce)


def _reduce(rule: Rule, values: list[Any]) -> Any:
    first = values[0] if values else None
    # A left-recursive list is extended in place, which is safe as nothing else refers to it.
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
    """Yield all tokens of a schema, whether it is valid or not."""
    return tokenize(text, _tables().lexis["terminals"])


def is_word(terminal: str) -> bool:
    """Whether a terminal matches a word that can be a name."""
    return terminal == "IDENT" or terminal in _KEYWORDS


def expectation(terminals: frozenset[str]) -> str:
    """Describe, for messages, the terminals that could come next."""
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
