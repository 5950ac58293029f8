"""Texts put together of several: where each character of the whole stands."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.source import DerivedText, Location, Span, Text

Part = tuple[Text, Span | None]
"""A text, and the span of the expression in the home that stands for it (``{NS}`` of an f-string)."""


def join(parts: Sequence[Part], home: Location) -> Text:
    """Join texts into one whose characters stand in ``home``, the expression or call that a reader would mend.

    A literal within the home keeps its places; what comes from elsewhere stands where its expression does, or where its
    neighbours do.
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
    """Spread some characters over a span: the first one on its start, none behind its end."""
    last = max(span.start, span.end - 1)
    spread = [*range(span.start, min(last, span.start + length - 1) + 1)]
    spread += [last] * (length - len(spread))
    # What is written longer than it reads ends where it ends.
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
