"""The uses of Lark: to find where a wrong text stops the parser, and to generate the parse tables."""

from __future__ import annotations

import re
from functools import cache

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, TerminalDef

from opgen.lalr import tabulate
from opgen.spec.language.grammar import Grammar, Start

_KINDS = ("NAME", "FLOAT", "INT", "STRING")
"""The terminals that aren't fixed words; ``FLOAT`` comes before ``INT``, which would match its beginning."""


@cache
def compiled(grammar: Grammar) -> Lark:
    """Return the Lark parser of a grammar, compiled on first use."""
    return Lark(grammar.file.read_text(encoding="utf-8"), parser="lalr", start=list(grammar.starts))


def stop(grammar: Grammar, start: Start, value: str) -> UnexpectedInput:
    """Return the parser's error on a wrong text.

    Raises:
        ValueError: the text is valid.
    """
    try:
        compiled(grammar).parse(value, start=start)
    except UnexpectedInput as error:
        return error
    raise ValueError(f"a {start}: {value}")


def tables(grammar: Grammar) -> str:
    """Return the parse tables that Lark makes of a grammar, as the JSON text that ``grammar.parse`` reads."""
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
    r"""Return the words that a terminal matches; it must be a word as ``in\b``, or a choice as ``(?:==|<)``."""
    value = terminal.pattern.value
    if not isinstance(terminal.pattern, PatternRE):
        return [value]
    group = re.fullmatch(r"\(\?:(.*)\)", value)
    return group[1].split("|") if group else [value.removesuffix(r"\b")]
