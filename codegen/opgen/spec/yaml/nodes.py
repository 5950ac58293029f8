"""The tree of a YAML document, with the location of every value. No tag is resolved: ``on`` and ``1`` are texts."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from opgen.records import dataclass
from opgen.source import Location, Source, Span, Text


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text. ``plain``: written without quotes and not as a block, so that it may mean a number or a bool."""

    text: Text
    span: Span
    plain: bool
    is_whole: ClassVar[bool] = True

    @property
    def location(self) -> Location:
        """The location of the whole scalar, quotes included."""
        return Location(self.text.source, self.span)

    @property
    def is_missing(self) -> bool:
        """Whether nothing was written at all, as after ``key:``."""
        return self.plain and not self.text.value


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list. ``is_whole`` is false if a YAML mistake was reported in it, at any depth."""

    items: tuple[Node, ...]
    source: Source
    span: Span
    is_whole: bool = True

    @property
    def location(self) -> Location:
        """The location from the first item, or the opening bracket, to the end."""
        return Location(self.source, self.span)


@dataclass(frozen=True, slots=True)
class Pair:
    """One entry of a mapping."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping in the order of the file, keys unique.

    Pairs that ``<<`` merges in follow those written here, with their original locations. ``complete`` is false if pairs
    were lost by a syntax error or an undefined alias, so that no conclusion may be drawn from a missing key.
    ``is_whole`` is false if a YAML mistake was reported in it, at any depth.
    """

    pairs: tuple[Pair, ...]
    source: Source
    span: Span
    complete: bool = True
    is_whole: bool = True

    @property
    def location(self) -> Location:
        """The location from the first key, or the brace, to the end of the last value."""
        return Location(self.source, self.span)


Node: TypeAlias = Scalar | Sequence | Mapping
