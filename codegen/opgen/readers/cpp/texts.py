"""Joins texts so that each character keeps its location."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.source import Source, Text


def offsets(text: Text) -> tuple[int, ...]:
    """Return the offset of each character of a text in its source, and the offset of its end."""
    return text.offsets or tuple(range(text.base, text.base + len(text.value) + 1))


def joined(parts: Sequence[Text], source: Source, at: int) -> Text:
    """Join texts of one source; without any, return an empty text at the offset ``at``."""
    if len(parts) == 1:
        return parts[0]
    places = [place for part in parts for place in offsets(part)[:-1]]
    places.append(offsets(parts[-1])[-1] if parts else at)
    return Text("".join(part.value for part in parts), source, places[0], tuple(places))


def placed(value: str, text: Text) -> Text:
    """Return a text all of whose characters have the location at which ``text`` begins."""
    start = text.locate().span.start
    return Text(value, text.source, start, (start,) * (len(value) + 1))
