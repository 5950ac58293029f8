"""A YAML document as a tree in which every value knows its place. Nothing is resolved: ``on`` and ``1`` are texts."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from opgen.records import dataclass
from opgen.source import Location, Source, Span, Text


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text. ``plain``: written without quotes and not as a block, so that it may stand for a number or a bool."""

    text: Text
    span: Span
    plain: bool
    is_whole: ClassVar[bool] = True

    @property
    def location(self) -> Location:
        """The whole scalar, quotes included."""
        return Location(self.text.source, self.span)

    @property
    def is_missing(self) -> bool:
        """Whether nothing was written at all, as after ``key:``."""
        return self.plain and not self.text.value


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list. ``is_whole`` is false where something in it, at any depth, is wrong as YAML."""

    items: tuple[Node, ...]
    source: Source
    span: Span
    is_whole: bool = True

    @property
    def location(self) -> Location:
        """From the first item, or the bracket, to the last."""
        return Location(self.source, self.span)


@dataclass(frozen=True, slots=True)
class Pair:
    """One entry of a mapping."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping in the order of the file, keys unique.

    Pairs that came in by ``<<`` follow those written here and have the places where they were written.
    ``complete`` is false where pairs of it were lost, by a syntax error or an alias of nothing: then a missing key
    proves nothing. ``is_whole`` is false where something in it, at any depth, is wrong as YAML.
    """

    pairs: tuple[Pair, ...]
    source: Source
    span: Span
    complete: bool = True
    is_whole: bool = True

    @property
    def location(self) -> Location:
        """From the first key, or the brace, to the end of the last value."""
        return Location(self.source, self.span)


Node: TypeAlias = Scalar | Sequence | Mapping
