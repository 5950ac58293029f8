"""A grammar as Lark runs it: where a wrong text stops, and the tables by which right ones are read."""

from __future__ import annotations

import re
from functools import cache

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, TerminalDef

from opgen.lalr import tabulate
from opgen.spec.language.grammar import Grammar, Start

_KINDS = ("NAME", "FLOAT", "INT", "STRING")
"""The terminals that are no fixed words, a float before the integer that it begins with."""


@cache
def compiled(grammar: Grammar) -> Lark:
    """Return a grammar, compiled on first use."""
    return Lark(grammar.file.read_text(encoding="utf-8"), parser="lalr", start=list(grammar.starts))


def stop(grammar: Grammar, start: Start, value: str) -> UnexpectedInput:
    """Return the parser's error on a text.

    Raises:
        ValueError: there is none.
    """
    try:
        compiled(grammar).parse(value, start=start)
    except UnexpectedInput as error:
        return error
    raise ValueError(f"a {start}: {value}")


def tables(grammar: Grammar) -> str:
    """Return the text of the tables: what Lark has made of a grammar, for ``grammar.parse``."""
    lark = compiled(grammar)
    terminals = {terminal.name: terminal for terminal in lark.terminals}
    kinds = {name: terminals.pop(name).pattern.to_regexp() for name in _KINDS}
    blank = terminals.pop(lark.ignore_tokens[0]).pattern.value
    words: dict[str, list[str]] = {}
    for terminal in terminals.values():
        for word in _words(terminal):
            words.setdefault(word, []).append(terminal.name)
    return tabulate.tables(lark, grammar.starts, {"kinds": kinds, "blank": blank, "words": dict(sorted(words.items()))})


def _words(terminal: TerminalDef) -> list[str]:
    r"""Return the words that a terminal stands for: of ``in\b`` or ``(?:==|<)``, the two ways to write such."""
    value = terminal.pattern.value
    if not isinstance(terminal.pattern, PatternRE):
        return [value]
    group = re.fullmatch(r"\(\?:(.*)\)", value)
    return group[1].split("|") if group else [value.removesuffix(r"\b")]
