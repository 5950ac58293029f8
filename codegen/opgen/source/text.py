"""Source files, half-open spans in them, and texts that were decoded from a piece of one."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from opgen.records import dataclass


class Span(NamedTuple):
    """A half-open range of character offsets in some text."""

    start: int
    end: int


class Position(NamedTuple):
    """A line and a column, both counted from 1; a column counts characters."""

    line: int
    column: int


@dataclass(frozen=True, eq=False)
class Source:
    """A whole text and the name that it is shown under.

    ``path`` is what a reader sees: relative to the working directory with forward slashes, ``<stdin>``, or
    ``<argument>``.
    """

    path: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def position(self, offset: int) -> Position:
        """Return the line and column of the character at ``offset``."""
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Return line ``number`` (from 1) without its line break."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return (self.text[start:] if end < 0 else self.text[start:end]).rstrip("\r")


@dataclass(frozen=True)
class Location:
    """A span of a source: where a diagnostic points."""

    source: Source
    span: Span

    @property
    def start(self) -> Position:
        """Line and column of the first character."""
        return self.source.position(self.span.start)

    @property
    def end(self) -> Position:
        """Line and column after the last character."""
        return self.source.position(self.span.end)


@dataclass(frozen=True, eq=False)
class Text:
    r"""A decoded text, such as the value of a YAML scalar, and where each of its characters stands in the source.

    ``offsets`` has one entry a character and one for the end, or is empty when the text stands verbatim from ``base``
    on. A YAML scalar that is folded, quoted with escapes or indented is not verbatim; ``"a\tb"`` has the value of
    three characters and the offsets ``(1, 2, 4, 5)``.
    """

    value: str
    source: Source
    base: int = 0
    offsets: tuple[int, ...] = field(default=(), repr=False)

    @staticmethod
    def of(value: str, path: str = "<text>") -> Text:
        """Wrap a text that is its own source."""
        return Text(value, Source(path, value))

    def locate(self, span: Span | None = None) -> Location:
        """Map a span of this text to the source; without one, the whole text.

        An empty span is kept empty: it marks a place between two characters.
        """
        start, end = span if span is not None else (0, len(self.value))
        if not self.offsets:
            return Location(self.source, Span(self.base + start, self.base + end))
        last = self.offsets[end - 1] + 1 if end > start else self.offsets[start]
        return Location(self.source, Span(self.offsets[start], last))

    def part(self, span: Span) -> Text:
        """Return a piece of this text that still knows where it stands."""
        start, end = span
        offsets = self.offsets[start : end + 1] if self.offsets else ()
        return Text(self.value[start:end], self.source, self.base + start, offsets)


@dataclass(frozen=True, eq=False)
class DerivedText(Text):
    """A text that stands in no file: every part of it is located at what it was made from."""

    origin: Location = field(kw_only=True)

    @staticmethod
    def at(value: str, origin: Location) -> DerivedText:
        """Make a text from what stands at ``origin``."""
        return DerivedText(value, origin.source, origin.span.start, origin=origin)

    def locate(self, span: Span | None = None) -> Location:  # noqa: ARG002 - where a part of it stands is not known
        """Return the origin."""
        return self.origin

    def part(self, span: Span) -> Text:
        """Return a piece of this text."""
        return DerivedText.at(self.value[span.start : span.end], self.origin)
