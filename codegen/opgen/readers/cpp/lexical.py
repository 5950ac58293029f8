"""Comments, literals and directives of C++, told apart from code without parsing it.

Blanking keeps length and line breaks, so that an offset means the same place in the source and in everything made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from opgen.source import Span

_TOKEN = re.compile(
    r"""
      (?P<raw>\b(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\((?:.*?\)(?P=delimiter)"|.*\Z))
    | (?P<string>"(?:\\.|[^"\\\n])*"?)
    | (?P<character>'(?:\\.|[^'\\\n])+')
    | (?P<number>\b\d[\w'.]*)                       # the quotes of 1'000 open no literal
    | (?P<comment>//(?:\\\r?\n|[^\n])*|/\*(?:.*?\*/|.*\Z))
    | (?P<directive>^\ufeff?[ \t]*\#(?:"(?:\\.|[^"\\\n])*"|//(?:\\\r?\n|[^\n])*|/\*.*?\*/|\\\r?\n|[^\n])*)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_VISIBLE = re.compile(r"[^\r\n]")
_CLOSER = {"(": re.compile(r"[()]"), "{": re.compile(r"[{}]")}


@dataclass(frozen=True)
class Lexed:
    """A file whose comments and directives are blank; the spans are of the file, in its order."""

    plain: str
    directives: tuple[Span, ...]
    literals: tuple[Span, ...]


def lex(text: str) -> Lexed:
    """Tell comments, directives and literals from code, in linear time. An unclosed comment or raw string reaches to the end."""
    dead: list[Span] = []
    directives: list[Span] = []
    literals: list[Span] = []
    for match in _TOKEN.finditer(text):
        span = Span(*match.span())
        if match.lastgroup in ("comment", "directive"):
            dead.append(span)
            if match.lastgroup == "directive":
                directives.append(span)
        elif match.lastgroup != "number":
            literals.append(span)
    return Lexed(blank(text, dead), tuple(directives), tuple(literals))


def blank(text: str, spans: Iterable[Span]) -> str:
    """Put blanks in place of everything in ``spans``, which are ordered and disjoint, but line breaks."""
    pieces: list[str] = []
    position = 0
    for start, end in spans:
        pieces += (text[position:start], _VISIBLE.sub(" ", text[start:end]))
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def without_literals(text: str) -> str:
    """Blank strings and characters too: what is left is code wherever it looks like code."""
    return blank(text, lex(text).literals)


def closing(code: str, opening: int, limit: int | None = None) -> int | None:
    """Where the bracket at ``opening`` (round or curly) is closed: the offset behind; ``None`` if nowhere before ``limit``."""
    depth = 0
    for match in _CLOSER[code[opening]].finditer(code, opening, len(code) if limit is None else limit):
        depth += 1 if match[0] in "({" else -1
        if depth == 0:
            return match.end()
    return None
