"""The grammar as Lark runs it: where a wrong text stops, and the tables by which right ones are read."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, TerminalDef

from opgen.lalr import tabulate
from opgen.spec.language.grammar import Start

_GRAMMAR = Path(__file__).with_name("tensors.lark")
_STARTS = ["form", "dtype", "condition"]
_KINDS = ("NAME", "FLOAT", "INT", "STRING")
"""The terminals that are no fixed words, a float before the integer that it begins with."""


def grammar_text() -> str:
    """Return tensors.lark."""
    return _GRAMMAR.read_text(encoding="utf-8")


@cache
def grammar() -> Lark:
    """Return the grammar, compiled on first use."""
    return Lark(grammar_text(), parser="lalr", start=_STARTS)


def stop(start: Start, value: str) -> UnexpectedInput:
    """Return the parser's error on a text.

    Raises:
        ValueError: there is none.
    """
    try:
        grammar().parse(value, start=start)
    except UnexpectedInput as error:
        return error
    raise ValueError(f"a {start}: {value}")


def tables() -> str:
    """Return the text of tensors.json: what Lark has made of tensors.lark, for ``grammar.parse``."""
    terminals = {terminal.name: terminal for terminal in grammar().terminals}
    kinds = {name: terminals.pop(name).pattern.to_regexp() for name in _KINDS}
    blank = terminals.pop(grammar().ignore_tokens[0]).pattern.value
    words: dict[str, list[str]] = {}
    for terminal in terminals.values():
        for word in _words(terminal):
            words.setdefault(word, []).append(terminal.name)
    return tabulate.tables(grammar(), _STARTS, {"kinds": kinds, "blank": blank, "words": dict(sorted(words.items()))})


def _words(terminal: TerminalDef) -> list[str]:
    r"""Return the words that a terminal stands for: of ``in\b`` or ``(?:==|<)``, the two ways to write such."""
    value = terminal.pattern.value
    if not isinstance(terminal.pattern, PatternRE):
        return [value]
    group = re.fullmatch(r"\(\?:(.*)\)", value)
    return group[1].split("|") if group else [value.removesuffix(r"\b")]
