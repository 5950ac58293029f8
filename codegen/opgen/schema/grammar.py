"""Run Lark's LALR parser over the tokens of a schema, or of one argument or return."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, Literal

from lark import Lark, Token, UnexpectedToken
from lark.lexer import Lexer

from opgen.schema.lexer import tokenize
from opgen.schema.tree import TreeBuilder


class NoLexer(Lexer):
    """Lark is fed token by token."""

    def __init__(self, lexer_conf: object) -> None:
        del lexer_conf

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Token]:
        """Yield nothing: Lark wants the method, and never calls it."""
        del lexer_state, parser_state
        return iter(())


def grammar_text() -> str:
    """Return schema.lark."""
    return resources.files("opgen.schema").joinpath("schema.lark").read_text(encoding="utf-8")


@cache
def _lark() -> tuple[Lark, dict[str, str]]:
    """The parser, and what its grammar spells out with the names of the terminals."""
    lark = Lark(
        grammar_text(),
        parser="lalr",
        lexer=NoLexer,
        start=["schema", "argument", "result"],
        keep_all_tokens=True,
        transformer=TreeBuilder(),
    )
    return lark, {terminal.pattern.value: terminal.name for terminal in lark.terminals}


def parse(text: str, start: Literal["schema", "argument", "result"]) -> Any:
    """Return what ``TreeBuilder`` makes of ``start``; its parts are read as if in brackets.

    Raises:
        UnexpectedToken: at the first token that does not fit.
    """
    lark, terminals = _lark()
    parser = lark.parse_interactive(start=start)
    last = None
    try:
        for last in tokenize(text, terminals, depth=0 if start == "schema" else 1):
            parser.feed_token(last)
        return parser.feed_eof(last)  # type: ignore[no-untyped-call]  # Lark leaves it so
    except UnexpectedToken as error:
        error.interactive_parser = parser  # so that error.accepts works
        raise


def tokens(text: str) -> Iterator[Token]:
    """Yield all tokens of a schema, right or wrong."""
    return tokenize(text, _lark()[1])


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
    literals = {name: literal for literal, name in _lark()[1].items()}
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
