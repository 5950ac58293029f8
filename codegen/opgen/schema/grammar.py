"""Run the tables of schema.lark over the tokens of a schema, or of one argument or return.

Lark makes the tables, and this module runs them: importing Lark and having it read the grammar takes longer than reading all
schemas of a large library. What does not fit is run by Lark itself, which says what would have (stop.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from opgen.schema.lexer import Token, tokenize
from opgen.schema.tree import TreeBuilder

Start: TypeAlias = Literal["schema", "argument", "result"]

TABLES = Path(__file__).with_name("schema.json")
"""Made by ``tabulate.tables``; a test compares the two."""


class _Inlined(list[Any]):
    """The children of a rule that has no node of its own."""


class _Rule(NamedTuple):
    """A rule of the grammar, as it is reduced.

    Attributes:
        origin: the symbol that it makes.
        length: how many symbols it takes.
        is_bare: whether a node of one child is that child.
        build: makes a node of the children.
    """

    origin: str
    length: int
    is_bare: bool
    build: Callable[[list[Any]], Any]

    def node(self, values: list[Any]) -> Any:
        children: list[Any] = []
        for value in values:
            if type(value) is _Inlined:
                children += value
            else:
                children.append(value)
        return children[0] if self.is_bare and len(children) == 1 else self.build(children)


class _Tables(NamedTuple):
    """Of an LALR(1) parser.

    Attributes:
        terminals: what the grammar spells out -> its terminal.
        rules: by number.
        states: for each, by symbol: the state to go to, or ``~number`` of the rule to reduce by.
        starts: for each start symbol the first state and the last one.
    """

    terminals: dict[str, str]
    rules: list[_Rule]
    states: list[dict[str, int]]
    starts: dict[str, tuple[int, int]]


@cache
def _tables() -> _Tables:
    stored = json.loads(TABLES.read_text(encoding="utf-8"))
    builder = TreeBuilder()
    rules = [
        _Rule(origin, length, is_bare, getattr(builder, name, _Inlined))
        for origin, length, is_bare, name in stored["rules"]
    ]
    return _Tables(stored["terminals"], rules, stored["states"], stored["starts"])


def parse(text: str, start: Start) -> Any:
    """Return what ``TreeBuilder`` makes of ``start``, or ``None`` where the text is none.

    The parts of a schema are read as if in brackets.
    """
    terminals, rules, states, starts = _tables()
    first, last = starts[start]
    stack, values = [first], list[Any]()
    kinds = _kinds(tokenize(text, terminals, depth=0 if start == "schema" else 1))
    for kind, token in kinds:
        while (action := states[stack[-1]].get(kind)) is not None and action < 0:
            rule = rules[~action]
            count = len(values) - rule.length
            node = rule.node(values[count:])
            del values[count:], stack[count + 1 :]
            values.append(node)
            stack.append(states[stack[-1]][rule.origin])
            if stack[-1] == last and token is None:
                return node
        if action is None:
            return None
        stack.append(action)
        values.append(token)
    return None


def _kinds(given: Iterator[Token]) -> Iterator[tuple[str, Token | None]]:
    for token in given:
        yield token.type, token
    yield "$END", None


def tokens(text: str) -> Iterator[Token]:
    """Yield all tokens of a schema, right or wrong."""
    return tokenize(text, _tables().terminals)


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
    literals = {name: literal for literal, name in _tables().terminals.items()}
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
