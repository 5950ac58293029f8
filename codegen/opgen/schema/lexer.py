"""Yields the tokens of the TorchScript lexer (``torch/csrc/jit/frontend/lexer.h``) that a schema can have.

It is one pass with a single regular expression. Lark's own lexers can't be used: a line break is a blank inside of
brackets and a token outside, and whether a word is a keyword or a name depends on its position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from opgen.lalr.token import Token

_BLANK = r"[ \t\r\v\f]"
_COMMENT = r"\#(?!\ type:)[^\n]*"  # "# type:" is a token of its own, which no schema may have
_GAP = re.compile(rf"(?:{_BLANK}|{_COMMENT}|\\\n)*", re.VERBOSE)
_GAP_IN_BRACKETS = re.compile(rf"(?:{_BLANK}|\n|{_COMMENT}|\\\n)*", re.VERBOSE)
_LINES = re.compile(rf"(?:{_BLANK}*(?:{_COMMENT})?\n)*({_BLANK}*)(?:{_COMMENT}\Z)?", re.VERBOSE)
"""Matches empty lines and comment lines, and then the indentation of the next line."""

_TOKEN = re.compile(
    r"""
      (?P<WORD> [A-Za-z_][A-Za-z0-9_]* )
    | (?P<NUMBER> (?: 0[xX] (?: [0-9a-fA-F]+ \.? [0-9a-fA-F]* | \.[0-9a-fA-F]+ ) (?: [pP][+-]?[0-9]+ )?
                    | (?: [0-9]+ \.? [0-9]* | \.[0-9]+ ) (?: [eE][+-]?[0-9]+ )? ) j? )
    | (?P<STRING> \"\"\" (?: \\[\s\S] | [^\\] )*? \"\"\"  |  \"(?!\"\") (?: \\[\s\S] | [^\\\n\"] )* \"
                | '''    (?: \\[\s\S] | [^\\] )*? '''     |  '(?!'')    (?: \\[\s\S] | [^\\\n'] )* ' )
    | (?P<OPERATOR> \#\ type: | <=> | \*\*= | <<= | >>= | \.\.\. | -> | [!=<>+\-*/%|&^]= | \*\* | // | << | >>
                | [-+*/%@()\[\]:,={}><.?!&^|~] )
    """,
    re.VERBOSE,
)


RESERVED = frozenset(
    "Ellipsis and as assert break class continue def del elif else for global if import in is not or pass raise return "  # noqa: SIM905 - words
    "while with".split()
)
"""Reserved words that have no meaning in a schema, but can't be names either."""

NEVER_A_NAME = RESERVED | {"True", "False", "None", "NoneType"}


def tokenize(text: str, terminals: Mapping[str, str], depth: int = 0) -> Iterator[Token]:
    """Yield the tokens of a schema, or of a part of it inside of ``depth`` brackets.

    ``terminals`` maps the literals of the grammar (``"("``, ``"Tensor"``) to its terminals. Other tokens have the type
    ``RESERVED``, ``OPERATOR`` or ``INDENT``, or ``INVALID`` for a single character.
    """
    first = _match(_LINES, text, 0)
    indent, position = len(first[1]), first.end()
    previous = ""
    while True:
        position = _match(_GAP_IN_BRACKETS if depth else _GAP, text, position).end()
        if position == len(text):
            return
        if text[position] == "\n":
            lines = _match(_LINES, text, position)
            is_even = lines.end() == len(text) or len(lines[1]) == indent
            kind, end = "NEWLINE" if is_even else "INDENT", lines.end()
        else:
            kind, end = _classify(text, position, terminals)
        value = text[position:end]
        if value == "(" and previous == "->":
            kind = "LIST_OPEN"
        yield Token(kind, value, position, end)
        if value in "([{":
            depth += 1
        elif value in ")]}":
            depth -= 1
        position, previous = end, value


def _match(blanks: re.Pattern[str], text: str, position: int) -> re.Match[str]:
    return cast("re.Match[str]", blanks.match(text, position))  # the pattern also matches the empty text


def _classify(text: str, position: int, terminals: Mapping[str, str]) -> tuple[str, int]:
    match = _TOKEN.match(text, position)
    if match is None:
        return "INVALID", position + 1
    kind, value = str(match.lastgroup), match[0]
    if kind == "WORD":
        return ("RESERVED" if value in RESERVED else terminals.get(value, "IDENT")), match.end()
    if kind == "OPERATOR":
        kind = terminals.get(value, kind)
    return kind, match.end()
