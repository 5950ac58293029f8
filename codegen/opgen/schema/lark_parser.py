"""The grammar as Lark runs it: where a wrong schema stops, and the tables by which right ones are read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import lark
from lark.lexer import Lexer

from opgen.schema.lexer import Token, tokenize

_GRAMMAR = Path(__file__).with_name("schema.lark")
_STARTS = ["schema", "argument", "result"]


class NoLexer(Lexer):
    """Lark is fed token by token."""

    def __init__(self, lexer_conf: object) -> None:
        del lexer_conf

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[lark.Token]:
        """Yield nothing: Lark wants the method, and never calls it."""
        del lexer_state, parser_state
        return iter(())


class Stop(NamedTuple):
    """Where a schema stops being one.

    Attributes:
        token: the first that does not fit; ``$END`` at the end of the text.
        state: of the parser.
        accepted: the terminals that would have fitted.
    """

    token: Token
    state: int
    accepted: frozenset[str]


def grammar_text() -> str:
    """Return schema.lark."""
    return _GRAMMAR.read_text(encoding="utf-8")


@cache
def _lark() -> lark.Lark:
    return lark.Lark(grammar_text(), parser="lalr", lexer=NoLexer, start=_STARTS, keep_all_tokens=True)


def stop(text: str) -> Stop:
    """Run a schema up to where it is none any more.

    Raises:
        ValueError: it is a schema.
    """
    parser = _lark().parse_interactive(start="schema")
    last = None
    try:
        for token in tokenize(text, _literals()):
            last = lark.Token(token.type, str(token), token.start_pos, end_pos=token.end_pos)
            parser.feed_token(last)
        parser.feed_eof(last)  # type: ignore[no-untyped-call]  # Lark leaves it so
    except lark.UnexpectedToken as error:
        token = error.token
        error.interactive_parser = parser  # so that error.accepts works
        found = Token(token.type, str(token), token.start_pos or 0, token.end_pos or 0)
        return Stop(found, error.state.position, _accepted(error))
    raise ValueError(f"a schema: {text}")


_known_outlooks: dict[tuple[int, ...], frozenset[str]] = {}


def _accepted(error: lark.UnexpectedToken) -> frozenset[str]:
    """``error.accepts``, which tries every token and so is slow; it depends on the parser's stack only."""
    stack = tuple(error.state.state_stack)
    if stack not in _known_outlooks:
        _known_outlooks[stack] = frozenset(error.accepts)
    return _known_outlooks[stack]


def _literals() -> dict[str, str]:
    return {terminal.pattern.value: terminal.name for terminal in _lark().terminals}


def tables() -> str:
    """Return the text of schema.json: what Lark has made of schema.lark, for ``grammar.parse``."""
    parser: Any = _lark().parser
    table = parser.parser._parse_table  # noqa: SLF001 - Lark has no public name for it; a test holds the file to it
    # Lark's own numbers are others in each process; these are in the order in which states and rules are met.
    states = {table.start_states[name]: number for number, name in enumerate(_STARTS)}
    rules: dict[Any, int] = {}
    rows = []
    for state in _met(states):
        row = {}
        for symbol, (_, target) in sorted(table.states[state].items()):
            if isinstance(target, int):
                row[symbol] = states.setdefault(target, len(states))
            else:
                row[symbol] = ~rules.setdefault(target, len(rules))
        rows.append(row)
    starts = {name: [states[table.start_states[name]], states[table.end_states[name]]] for name in _STARTS}
    parts = {
        "terminals": json.dumps(dict(sorted(_literals().items()))),
        "starts": json.dumps(starts),
        "rules": _lines(map(_row, rules)),
        "states": _lines(rows),
    }
    return "{\n" + ",\n".join(f'"{name}": {part}' for name, part in parts.items()) + "\n}\n"


def _met(states: dict[Any, int]) -> Iterator[Any]:
    """Yield the states of a table that grows meanwhile."""
    number = 0
    while number < len(states):
        yield list(states)[number]
        number += 1


def _lines(items: Iterable[Any]) -> str:
    return "[\n" + ",\n".join(map(json.dumps, items)) + "\n]"


def _row(rule: Any) -> list[Any]:
    name = rule.origin.name
    has_node = bool(rule.alias) or not name.startswith("_")
    return [
        name,
        len(rule.expansion),
        rule.options.expand1 and not rule.alias,
        (rule.alias or name) if has_node else "",
    ]
