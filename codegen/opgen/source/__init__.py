"""Texts and places in them. This room knows nothing of the others."""

from opgen.source.text import Location, Position, Source, Span, Text

__all__ = ["Location", "Position", "Source", "Span", "Text"]
