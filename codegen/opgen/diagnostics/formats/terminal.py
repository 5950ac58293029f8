"""What a terminal makes of characters: widths, colours, and controls that must not reach it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from opgen.diagnostics.codes import Severity

TAB = 4
"""Blanks that a tab is shown as."""

Paint: TypeAlias = Callable[[str, str], str]
"""Puts the named style on a text."""

_STYLES = {
    "bold": "1",
    "dim": "2",
    "link": "34",
    Severity.ERROR.value: "1;31",
    Severity.WARNING.value: "1;33",
    Severity.INFO.value: "1;36",
}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # controls, marks of direction, surrogates, line breaks


def painter(*, color: bool) -> Paint:
    """Return the function that colours a text, or leaves it as it is."""
    if color:
        return lambda text, style: f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
    return lambda text, style: text  # noqa: ARG005 - the other function's signature


def shown(character: str) -> str:
    r"""Return what is printed for a character of a file: ``\x1b`` for an escape, blanks for a tab."""
    if character == "\t":
        return " " * TAB
    if unicodedata.category(character) in _HIDDEN:
        return character.encode("unicode_escape", "replace").decode("ascii")
    return character


def printable(text: str) -> str:
    """Return a text with nothing in it that could drive a terminal."""
    return text if text.isprintable() else "".join(map(shown, text))


def width(text: str) -> int:
    """Return the columns that a printable text takes; wide East Asian characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
