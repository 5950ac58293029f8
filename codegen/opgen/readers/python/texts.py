"""Joins texts, and decides the location of each character of the result."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.source import DerivedText, Location, Span, Text

Part = tuple[Text, Span | None]
"""A text, and the span of the expression in ``home`` whose value it is (``{NS}`` in an f-string)."""


def join(parts: Sequence[Part], home: Location) -> Text:
    """Join texts to one whose characters are all located in ``home``, the expression or call that an author would edit.

    Literals in ``home`` keep their locations. Text from elsewhere has the location of its expression, or of its
    neighbours.
    """
    value = "".join(text.value for text, _ in parts)
    offsets: list[int | None] = []
    for text, span in parts:
        offsets += _offsets(text, span, home)
    known = [offset for offset in offsets if offset is not None]
    if not known or known != sorted(known):
        return DerivedText.at(value, home)
    filled, last = [], known[0]
    for offset in offsets:
        last = last if offset is None else offset
        filled.append(last)
    return Text(value, home.source, filled[0], (*filled, filled[-1] + 1))


def stretch(length: int, span: Span) -> list[int]:
    """Return offsets that spread ``length`` characters over a span, the first one at its start."""
    last = max(span.start, span.end - 1)
    spread = [*range(span.start, min(last, span.start + length - 1) + 1)]
    spread += [last] * (length - len(spread))
    # If the expression is longer than its value, the last character is at the end of the span.
    return [*spread[:-1], last] if length > 1 else spread


def _offsets(text: Text, span: Span | None, home: Location) -> Sequence[int | None]:
    length = len(text.value)
    place = text.locate()
    if text.source is home.source and _within(place.span, home.span):
        if isinstance(text, DerivedText):
            return stretch(length, place.span)
        return text.offsets[:length] if text.offsets else range(text.base, text.base + length)
    if span is not None and _within(span, home.span):
        return stretch(length, span)
    return [None] * length


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
