"""The uses of Lark: to find where a wrong schema stops the parser, and to generate the parse tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import lark
from lark.lexer import Lexer

from opgen.lalr import tabulate
from opgen.lalr.token import Token
from opgen.schema.lexer import tokenize

_GRAMMAR = Path(__file__).with_name("schema.lark")
_STARTS = ["schema", "argument", "result"]


class NoLexer(Lexer):
    """A lexer without tokens, since Lark's parser is fed token by token here."""

    def __init__(self, lexer_conf: object) -> None:
        del lexer_conf

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[lark.Token]:
        """Yield nothing; Lark requires the method but never calls it."""
        del lexer_state, parser_state
        return iter(())


class Stop(NamedTuple):
    """The position at which the parser stops in a wrong schema.

    Attributes:
        token: the first token that does not fit; ``$END`` at the end of the text.
        state: the state of the parser.
        accepted: the terminals that would have fitted.
    """

    token: Token
    state: int
    accepted: frozenset[str]


def grammar_text() -> str:
    """Return the text of schema.lark."""
    return _GRAMMAR.read_text(encoding="utf-8")


@cache
def _lark() -> lark.Lark:
    return lark.Lark(grammar_text(), parser="lalr", lexer=NoLexer, start=_STARTS, keep_all_tokens=True)


def stop(text: str) -> Stop:
    """Return where the parser stops in a wrong schema.

    Raises:
        ValueError: the text is a valid schema.
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
    """Return ``error.accepts``, cached by the parser's stack, on which alone it depends: it tries every token."""
    stack = tuple(error.state.state_stack)
    if stack not in _known_outlooks:
        _known_outlooks[stack] = frozenset(error.accepts)
    return _known_outlooks[stack]


def _literals() -> dict[str, str]:
    return {terminal.pattern.value: terminal.name for terminal in _lark().terminals}


def tables() -> str:
    """Return the text of schema.json, the parse tables that Lark makes of schema.lark."""
    return tabulate.tables(_lark(), _STARTS, {"terminals": dict(sorted(_literals().items()))})
