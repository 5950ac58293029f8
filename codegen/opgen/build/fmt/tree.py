"""The concrete syntax tree of a YAML file: each entry with the comments and blank lines that belong to it.

`opgen.spec.yaml` has the meaning of a file, this module its appearance. The file must be valid YAML: one document,
without tags, and with keys tags, and with keys that are texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A text on one line, in plain style or in quotes; or an alias.

    Attributes:
        text: the text as written, quotes included.
        value: its value; empty for an alias.
        style: ``""`` for plain, ``"'"``, ``'"'``, or ``"*"`` for an alias.
        anchor: ``&name``, or empty.
    """

    text: str
    value: str
    style: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text of several lines that is no block, or a collection in brackets with comments or such texts.

    Its lines are kept but for their indentation; ``column`` is that of the collection around it.
    """

    lines: tuple[str, ...]
    column: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of lines, ``|`` or ``>``: its header, and its lines without their indentation."""

    header: str
    lines: tuple[str, ...]
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """A list or a mapping, in brackets or as a block.

    Attributes:
        entries: the entries in the order of the file.
        is_mapping: whether each entry has a key.
        in_brackets: whether it was written in ``[]`` or ``{}``.
        anchor: ``&name``, or empty.
        after: the comments, and ``""`` for blank lines, behind the last entry of a block.
    """

    entries: tuple[Entry, ...]
    is_mapping: bool
    in_brackets: bool
    anchor: str = ""
    after: tuple[str, ...] = ()


Value: TypeAlias = Word | Paragraph | Block | Collection


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of a list, or a pair of a mapping.

    Attributes:
        value: the item, or the value of the pair.
        key: the key of a pair; ``None`` for an item.
        before: the comments on lines of their own, and ``""`` for blank lines, above it.
        comment: the comment on its line: behind the key if the value is a block, else behind the value.
    """

    value: Value
    key: Word | None = None
    before: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file.

    Attributes:
        preamble: directives and ``---``.
        header: the comments above the first key, which stay at the top whichever key becomes the first.
        root: the mapping.
        closing: ``...`` and all lines after it.
    """

    preamble: tuple[str, ...]
    header: tuple[str, ...]
    root: Collection
    closing: tuple[str, ...]


def comments(document: Document) -> list[str]:
    """Return all comments except those in paragraphs, sorted."""
    lines = (*document.preamble, *document.header, *_comments(document.root), *document.closing)
    return sorted(line for line in lines if line.startswith("#"))


def _comments(value: Value) -> Iterator[str]:
    if isinstance(value, Collection):
        for entry in value.entries:
            yield from (*entry.before, entry.comment)
            yield from _comments(entry.value)
        yield from value.after


def links(value: Value) -> Iterator[str]:
    """Yield ``&name`` of each anchor, ``*name`` of each alias; bare ``&`` or ``*`` where a paragraph may have one."""
    match value:
        case Word(text=text, style="*"):
            yield text
        case Paragraph(lines=lines):
            yield from (mark for mark in "&*" if any(mark in line for line in lines))
        case Collection(entries=entries):
            for entry in entries:
                yield from links(entry.key) if entry.key else ()
                yield from links(entry.value)
    if not isinstance(value, Paragraph) and value.anchor:
        yield value.anchor
