"""Splits a file into declarations by its braces, each with the namespaces and classes around it.

Counting brackets suffices for that and, unlike a parser, isn't disturbed by a project's macros.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.readers.cpp.lexical import closing
from opgen.records import dataclass
from opgen.source import Span

_DEEPEST = 100
"""How many of the namespaces and classes around a declaration are told apart."""
_MARK = re.compile(r"[{}();]")
_NAMESPACE = re.compile(
    r"\bnamespace\b(?:\s*\[\[.{0,999}?\]\])?\s*(?:((?:inline\s+)?\w+(?:\s*::\s*(?:inline\s+)?\w+)*)\s*)?$", re.DOTALL
)
_CLASS = re.compile(
    r"^(?:template\s*<[^{}]*>\s*)?(?:class|struct)\s+(?:[A-Z_]+\s+|alignas\s*\([^()]*\)\s*)*(\w+)[^()={}]*$", re.DOTALL
)
_FRONT = re.compile(r"\s*(?:(?:public|private|protected)\s*:(?!:)\s*)*")
_LINKAGE = re.compile(r"\bextern\s*$")  # the literal behind it, "C", is blank


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration or definition.

    Attributes:
        span: its span in the text.
        head_end: the offset of its ``{`` or ``;``.
        scope: the names of the namespaces and classes around it, outermost first.
    """

    span: Span
    head_end: int
    scope: tuple[str, ...]


def declarations(code: str) -> Iterator[Declaration]:
    """Yield the declarations in code whose literals are blanked, in one pass."""
    scopes: list[tuple[str, ...]] = [()]
    start = position = depth = 0
    while match := _MARK.search(code, position):
        index, position = match.start(), match.end()
        scope = scopes[-1]
        if match[0] in "()":
            depth = max(0, depth + (1 if match[0] == "(" else -1))
        elif match[0] == ";":
            if depth == 0:
                yield Declaration(Span(_begin(code, start, index), position), index, scope)
                start = position
        elif match[0] == "}":
            depth, start = 0, position
            if len(scopes) > 1:
                scopes.pop()
        elif depth == 0 and (names := _opened(code[start:index])) is not None:
            scopes.append((*scope, *names)[:_DEEPEST])
            start = position
        else:
            position = closing(code, index) or len(code)
            if depth == 0:
                yield Declaration(Span(_begin(code, start, index), position), index, scope)
                start = position


def _begin(code: str, start: int, end: int) -> int:
    """Skip blanks and ``public:`` in front of a declaration."""
    match = _FRONT.match(code, start, end)
    return start if match is None else match.end()


def _opened(head: str) -> tuple[str, ...] | None:
    """Return the names of the scope that begins behind ``head``: none if anonymous; ``None`` if it isn't a scope."""
    if match := _NAMESPACE.search(head):
        return tuple(part.split()[-1] for part in match[1].split("::")) if match[1] else ()
    if _LINKAGE.search(head):
        return ()
    match = _CLASS.match(head[_begin(head, 0, len(head)) :])
    return (match[1],) if match else None
