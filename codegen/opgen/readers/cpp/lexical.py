"""Separates comments, literals and directives of C++ from code without parsing it.

Blanking keeps length and line breaks, so that offsets are the same in the source and in all texts made from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opgen.records import dataclass
from opgen.source import Span

DEEPEST = 100
"""How deeply the parentheses of a statement may be nested."""
_MOST_OPEN = 8

# With a set of first characters `re` skips code at the speed of a plain search.
_TOKEN = re.compile(
    r"""["'/\#](?:
      (?<=") (?:
          (?:(?<=\bR")|(?<=\b[uUL]R")|(?<=\bu8R")) (?P<delimiter>[^()\\\s"]{0,16})\((?:.*?\)(?P=delimiter)"|.*\Z)
        | (?:\\.|[^"\\\n])*"? )
    | (?<=') (?:
          (?<=[0-9a-fA-F]')(?<!u8')(?<!case')(?=[0-9a-fA-F])                # 1'000 opens no literal
        | (?:\\.|[^'\\\n])+' )
    | (?<=/) (?:/(?:\\\r?\n|[^\n])*|\*(?:.*?\*/|.*\Z))
    | (?<=\#)
    )""",
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"#(?:\"(?:\\.|[^\"\\\n])*\"|//(?:\\\r?\n|[^\n])*|/\*.{0,1999}?\*/|\\\r?\n|[^\n])*", re.DOTALL)
_FIRST_HASH = re.compile(r"^[ \t\ufeff]*#", re.MULTILINE)
_VISIBLE = re.compile(r"[^\r\n]")
_CLOSER = {"(": re.compile(r"[()]"), "{": re.compile(r"[{}]")}


@dataclass(frozen=True)
class Lexed:
    """A file after separation.

    Attributes:
        plain: the text with comments and directives blanked.
        directives: the spans of the directives, in order.
        literals: the spans of the string and character literals, in order.
    """

    plain: str
    directives: tuple[Span, ...]
    literals: tuple[Span, ...]


def lex(text: str) -> Lexed:
    """Separate a file in linear time; an unclosed comment or raw string reaches to the end of the file."""
    dead: list[Span] = []
    directives: list[Span] = []
    literals: list[Span] = []
    hashes = {match.end() - 1 for match in _FIRST_HASH.finditer(text)}
    position = 0
    while match := _TOKEN.search(text, position):
        span = Span(*match.span())
        kind = text[span.start]
        if kind in "\"'":
            literals.append(span)
        elif kind == "/":
            dead.append(span)
        elif span.start in hashes and (directive := _DIRECTIVE.match(text, span.start)):
            span = Span(*directive.span())
            dead.append(span)
            directives.append(span)
        position = span.end
    return Lexed(blank(text, dead), tuple(directives), tuple(literals))


def blank(text: str, spans: Iterable[Span]) -> str:
    """Replace everything in ``spans``, which must be ordered and disjoint, by blanks, except line breaks."""
    pieces: list[str] = []
    position = 0
    for start, end in spans:
        pieces += (text[position:start], _VISIBLE.sub(" ", text[start:end]))
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def without_literals(text: str) -> str:
    """Blank string and character literals too, so that nothing is left that only looks like code."""
    return blank(text, lex(text).literals)


def closing(code: str, opening: int, limit: int | None = None) -> int | None:
    """Return the offset behind the bracket that closes the one at ``opening``; ``None`` if none before ``limit``."""
    depth = 0
    for match in _CLOSER[code[opening]].finditer(code, opening, len(code) if limit is None else limit):
        depth += 1 if match[0] in "({" else -1
        if depth == 0:
            return match.end()
    return None


class Nesting:
    """How many of the brackets that were looked into are open: beyond a few nothing more is looked for.

    To look into each of a thousand nested ones is to read the text a thousand times.
    """

    def __init__(self) -> None:
        self._ends: list[int] = []

    def is_too_deep(self, offset: int) -> bool:
        """Whether an offset, behind all those before, stands in too many brackets."""
        while self._ends and self._ends[-1] <= offset:
            self._ends.pop()
        return len(self._ends) >= _MOST_OPEN

    def enter(self, end: int) -> None:
        """Note where one closes."""
        self._ends.append(end)


def depth(code: str) -> int:
    """Return the largest nesting depth of round brackets."""
    deepest = current = 0
    for match in _CLOSER["("].finditer(code):
        current += 1 if match[0] == "(" else -1
        deepest = max(deepest, current)
    return deepest
