"""The tokens of the TorchScript lexer (``torch/csrc/jit/frontend/lexer.h``), as far as a schema can hold them.

One pass over one compiled regular expression. Lark's own lexers can't be used: a line break is a blank inside brackets
and a token outside, and a word is a keyword or a name by its place only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from lark import Token

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
    "Ellipsis and as assert break class continue def del elif else for global if import in is not or pass raise return "
    "while with".split()
)
"""Words that are never a name; ``True``, ``False``, ``None`` and ``NoneType`` are reserved too, but mean something."""

Known = Callable[[int, bool], "Token | None"]
"""Asked for an argument or return that was read before, by where it starts and whether returns have begun."""


def tokenize(text: str, terminals: Mapping[str, str], known: Known = lambda _position, _returns: None) -> Iterator[Token]:
    """Yield the tokens of a schema.

    ``terminals`` maps what the grammar spells out (``"("``, ``"Tensor"``) to its terminals. What is no token of the
    grammar comes as ``RESERVED``, ``OPERATOR``, ``INDENT``, or as one character of type ``INVALID``.
    """
    first = _LINES.match(text)
    assert first is not None  # it can match nothing
    indent, position = len(first[1]), first.end()
    depth, previous, in_returns = 0, "", False
    while True:
        position = (_GAP_IN_BRACKETS if depth else _GAP).match(text, position).end()  # type: ignore[union-attr]  # as above
        if position == len(text):
            return
        if starts_item(previous, depth) and (token := known(position, in_returns)):
            yield token
            position, previous = token.end_pos, ""  # type: ignore[assignment]  # it is set
            continue
        if text[position] == "\n":
            lines = _LINES.match(text, position)
            assert lines is not None  # as above
            at_end = lines.end() == len(text)
            kind, end = "NEWLINE" if at_end or len(lines[1]) == indent else "INDENT", lines.end()
        else:
            kind, end = _classify(text, position, terminals)
        value = text[position:end]
        if value == "(" and previous == "->":
            kind = "LIST_OPEN"
        yield Token(kind, value, position, end_pos=end)
        if value in "([{":
            depth += 1
        elif value in ")]}":
            depth -= 1
        in_returns = in_returns or (value == "->" and not depth)
        position, previous = end, value


def starts_item(previous: str, depth: int) -> bool:
    """Whether an argument or a return stands after the token ``previous`` at this depth of brackets."""
    return (depth == 1 and previous in {"(", ","}) or (depth == 0 and previous == "->")


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
