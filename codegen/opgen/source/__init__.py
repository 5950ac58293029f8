"""Texts and places in them. This room knows nothing of the others."""

from opgen.source.text import DerivedText, Location, Position, Source, Span, Text

__all__ = ["DerivedText", "Location", "Position", "Source", "Span", "Text"]
