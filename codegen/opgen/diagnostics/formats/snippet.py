"""The line of a file that a finding points to, with carets under the place."""

from __future__ import annotations

from opgen.diagnostics.formats.terminal import Paint, printable, width
from opgen.source import Location

WINDOW = 100
"""Columns of a line that are shown; schemas are often longer."""

_BEFORE = 30  # of these, at least so many stand before the caret
_LEAST = 50  # as many are shown wherever it may be
_CUT = "…"


def snippet(place: Location, paint: Paint, style: str, columns: int = 0) -> list[str]:
    """Return the lines that show a place; none where the file couldn't be read.

    Args:
        place: of a text.
        paint: colours.
        style: of the carets.
        columns: how many the reader's terminal has, beyond which carets would stand elsewhere; 0 for any number.
    """
    if not place.source.text:
        return []
    line, first, last = _marked(place)
    before, marked, after = (printable(part) for part in (line[:first], line[first:last], line[last:]))
    number = str(place.start.line)
    room = columns - len(f"{number} | ") if columns else WINDOW
    before, marked, after = _window(before, marked, after, max(_LEAST, min(WINDOW, room)))
    gutter = paint(f"{' ' * len(number)} |", "link")
    carets = paint("^" * max(1, width(marked)), style)
    return [
        gutter,
        f"{paint(f'{number} |', 'link')} {before}{marked}{after}".rstrip(),
        f"{gutter} {' ' * width(before)}{carets}",
    ]


def _marked(place: Location) -> tuple[str, int, int]:
    """Return the first line of a place and the part of it that is marked; an empty place marks one column."""
    start, end = place.start, place.end
    line = place.source.line(start.line)
    first = start.column - 1
    last = end.column - 1 if end.line == start.line else len(line.rstrip())
    return line, first, max(first, last)


def _window(before: str, marked: str, after: str, window: int) -> tuple[str, str, str]:
    """Cut a long line to so many columns around the marked part."""
    if width(before + marked + after) <= window:
        return before, marked, after
    room = max(_BEFORE, window - width(marked + after) - 2 * len(_CUT))
    if width(before) > room:
        before = _CUT + _last_columns(before, room)
    marked_room = window - width(before) - len(_CUT)
    if width(marked) > marked_room:
        return before, _first_columns(marked, marked_room) + _CUT, ""
    after_room = marked_room - width(marked)
    if width(after) > after_room + len(_CUT):
        after = _first_columns(after, after_room) + _CUT
    return before, marked, after


def _first_columns(text: str, columns: int) -> str:
    taken = 0
    for index, character in enumerate(text):
        taken += width(character)
        if taken > columns:
            return text[:index]
    return text


def _last_columns(text: str, columns: int) -> str:
    return _first_columns(text[::-1], columns)[::-1]
