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
_NOTHING = rf"{_COMMENT}|\\\n"
# Each part of what is skipped is a match of its own: for each round of a repeated group `re` keeps a place to go back to.
_GAP = re.compile(rf"{_BLANK}+(?:{_NOTHING})?|{_NOTHING}", re.VERBOSE)
_GAP_IN_BRACKETS = re.compile(rf"[ \t\r\v\f\n]+(?:{_NOTHING})?|{_NOTHING}", re.VERBOSE)
_EMPTY_LINE = re.compile(rf"{_BLANK}*(?:{_COMMENT})?\n", re.VERBOSE)
_INDENTATION = re.compile(rf"({_BLANK}*)(?:{_COMMENT}\Z)?", re.VERBOSE)
"""Of the next line; a comment that ends the text has none."""

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
    indent, position = _line_start(text, 0)
    previous = ""
    while True:
        position = _behind(_GAP_IN_BRACKETS if depth else _GAP, text, position)
        if position == len(text):
            return
        if text[position] == "\n":
            following, end = _line_start(text, position)
            kind = "NEWLINE" if end == len(text) or following == indent else "INDENT"
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


def _behind(part: re.Pattern[str], text: str, position: int) -> int:
    """Skip what matches, as often as it does."""
    while match := part.match(text, position):
        position = match.end()
    return position


def _line_start(text: str, position: int) -> tuple[int, int]:
    """Skip lines without a token; return how far the next one is indented, and where its first token would stand."""
    match = cast("re.Match[str]", _INDENTATION.match(text, _behind(_EMPTY_LINE, text, position)))  # perhaps of nothing
    return len(match[1]), match.end()


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
