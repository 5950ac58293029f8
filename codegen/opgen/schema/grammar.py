"""Run Lark's LALR parser over the tokens of a schema, or of one argument or return."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, Literal

from lark import Lark, Token
from lark.lexer import Lexer

from opgen.schema.lexer import tokenize
from opgen.schema.tree import TreeBuilder


class _NoLexer(Lexer):
    """Lark is fed token by token."""

    def __init__(self, lexer_conf: object) -> None:
        del lexer_conf

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Token]:
        raise NotImplementedError


@cache
def _lark() -> tuple[Lark, dict[str, str]]:
    """The parser, and what its grammar spells out with the names of the terminals."""
    grammar = resources.files("opgen.schema").joinpath("schema.lark").read_text(encoding="utf-8")
    lark = Lark(
        grammar,
        parser="lalr",
        lexer=_NoLexer,
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
    for last in tokenize(text, terminals, depth=0 if start == "schema" else 1):
        parser.feed_token(last)
    return parser.feed_eof(last)  # type: ignore[no-untyped-call]  # Lark leaves it so
