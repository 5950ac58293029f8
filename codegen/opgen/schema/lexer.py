"""The tokens of the TorchScript lexer (``torch/csrc/jit/frontend/lexer.h``), as far as a schema can hold them.

One pass over one compiled regular expression. Lark's own lexers can't be used: a line break is a blank inside brackets
and a token outside, and a word is a keyword or a name by its place only.
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
"""Empty lines and lines of comment, then the indentation of the next line."""

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
"""Words that mean nothing in a schema and are never a name either."""

NEVER_A_NAME = RESERVED | {"True", "False", "None", "NoneType"}


def tokenize(text: str, terminals: Mapping[str, str], depth: int = 0) -> Iterator[Token]:
    """Yield the tokens of a schema, or of a part of it that stands in ``depth`` brackets.

    ``terminals`` maps what the grammar spells out (``"("``, ``"Tensor"``) to its terminals. What is no token of the
    grammar comes as ``RESERVED``, ``OPERATOR``, ``INDENT``, or as one character of type ``INVALID``.
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
    return cast("re.Match[str]", blanks.match(text, position))  # blanks can be none at all, so it always matches


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
