"""Reads a text to a `Document`: values come from the YAML library, the comments between them are read here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import yaml

from opgen.build.fmt.tree import Block, Collection, Document, Entry, Paragraph, Value, Word
from opgen.spec.yaml.composer import LOADER

_PIECE = re.compile(r"#[^\n]*|\n|[^\s#]+")
_COLON = re.compile(r"(?:[ \t\n]|#[^\n]*\n)*:")
_SAME_LINE = re.compile(r"[ \t]*(#[^\n]*)?")
_COMMENT_LINE = re.compile(r"(?P<breaks>(?:[ \t]*\n)+)(?P<indent>[ \t]*)(?P<comment>#[^\n]*)")
_HEADER = re.compile(r"[|>][-+0-9]*")
_STARTS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS: Any = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


class _Unusual(Exception):  # noqa: N818 - not an error: such a file is left unchanged
    """The file uses a form of YAML that the formatter doesn't support."""


def read(text: str) -> Document | None:
    """Read a file that is valid YAML, and whose lines end with line feeds.

    Returns:
        The document; ``None`` if it isn't a mapping in block style, or has a key that isn't on exactly one line.
    """
    try:
        return _Reader(text).document()
    except _Unusual:
        return None


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._events: Iterator[Any] = yaml.parse(text, Loader=LOADER)
        self._at = 0  # the offset up to which the text has been read

    def document(self) -> Document:
        next(self._events)
        start = next(self._events)
        if start.explicit:
            self._at = start.end_mark.index
        preamble = _lines(self._text[: self._at])
        first = next(self._events)
        if not isinstance(first, yaml.MappingStartEvent) or first.flow_style or first.anchor:
            raise _Unusual
        root = self._block(first, outer=-1)
        end = next(self._events)
        closing = _lines(self._text[end.start_mark.index :]) if end.explicit else ()
        head, *rest = root.entries
        return Document(preamble, head.before, replace(root, entries=(replace(head, before=()), *rest)), closing)

    def _block(self, start: Any, outer: int) -> Collection:
        """Read a collection in block style from its first entry; ``outer`` is the column of the one around it."""
        is_mapping = isinstance(start, yaml.MappingStartEvent)
        entries: list[Entry] = []
        column = 0
        while not isinstance(event := next(self._events), _ENDS):
            before, mark = self._gap(event.start_mark.index)
            if not entries:
                column = self._column(event.start_mark.index if mark is None else mark)
            entry = self._pair(event, column) if is_mapping else self._value(event, column)
            entries.append(replace(entry, before=(*before, *entry.before)))
        after = self._comments_from(0 if outer < 0 else max(column, outer + 1))
        return Collection(tuple(entries), is_mapping, in_brackets=False, after=after)

    def _pair(self, event: Any, column: int) -> Entry:
        key = self._key(event, column)
        before: tuple[str, ...] = ()
        if colon := _COLON.match(self._text, self._at):
            before = self._comments_to(colon.end() - 1)
            self._at = colon.end()
        entry = self._value(next(self._events), column)
        return replace(entry, key=key, before=(*before, *entry.before))

    def _key(self, event: Any, column: int) -> Word:
        key = self._words(event, column)
        if not isinstance(key, Word) or not key.text:
            raise _Unusual
        return key

    def _value(self, event: Any, column: int) -> Entry:
        """Read a value in block style; comments between it and its key or dash are moved above the entry."""
        if isinstance(event, _STARTS) and not event.flow_style:
            before, anchor = self._anchor(event)
            comment = self._comment()
            return Entry(replace(self._block(event, column), anchor=anchor), before=before, comment=comment)
        before = self._comments_to(event.start_mark.index)
        if isinstance(event, yaml.ScalarEvent) and event.style in {"|", ">"}:
            _, anchor = self._anchor(event)
            return replace(self._lines_of_block(event.value, anchor), before=before)
        value: Value
        if isinstance(event, _STARTS):
            start = self._at
            value, is_simple = self._brackets(event, column)
            if not is_simple:
                value = Paragraph(_lines(self._text[start : self._at]), column)
        else:
            value = self._words(event, column)
        return Entry(value, before=before, comment=self._comment())

    def _words(self, event: Any, column: int) -> Word | Paragraph:
        """Read an alias, or a text that is no block."""
        self._at = max(self._at, event.end_mark.index)
        written = self._text[event.start_mark.index : event.end_mark.index]
        if isinstance(event, yaml.AliasEvent):
            return Word(written, "", "*")
        if "\n" in written or event.style in {"|", ">"}:
            return Paragraph(_lines(written), column)
        anchor = f"&{event.anchor}" if event.anchor else ""
        if not written.startswith(anchor):  # there is a tag in front
            anchor = ""
        return Word(written.removeprefix(anchor).lstrip(" \t"), event.value, event.style or "", anchor)

    def _brackets(self, start: Any, column: int) -> tuple[Collection, bool]:
        """Read a collection in brackets; return also whether it can be laid out: without comments and paragraphs."""
        before, anchor = self._anchor(start)
        is_simple = not before
        is_mapping = isinstance(start, yaml.MappingStartEvent)
        entries: list[Entry] = []
        while not isinstance(event := next(self._events), _ENDS):
            parts: list[Value] = []
            for part in (event, next(self._events)) if is_mapping else (event,):
                is_simple &= not self._comments_to(part.start_mark.index)
                value, is_simple_too = (
                    self._brackets(part, column) if isinstance(part, _STARTS) else (self._words(part, column), True)
                )
                is_simple &= is_simple_too and not isinstance(value, Paragraph)
                parts.append(value)
            key = parts[0] if is_mapping else None
            entries.append(Entry(parts[-1], key if isinstance(key, Word) else None))
        is_simple &= not self._comments_to(event.end_mark.index)
        return Collection(tuple(entries), is_mapping, in_brackets=True, anchor=anchor), is_simple

    def _lines_of_block(self, value: str, anchor: str) -> Entry:
        """Read a block scalar; its lines are counted here, as the YAML library ends it where the next value begins."""
        header = _HEADER.match(self._text, self._at)
        if header is None:
            raise _Unusual
        self._at = header.end()
        comment = self._comment()
        rows = self._text[self._at :].split("\n")[1:]
        indent = _indentation(rows, value)
        if rows and len(rows[-1]) <= indent and not rows[-1].strip(" "):  # no line, as it has no line break
            rows.pop()
        lines: list[str] = []
        blank: list[str] = []
        for row in rows:
            if len(row) <= indent and not row.strip(" "):
                blank.append("")
            elif row[:indent].strip(" "):
                break
            else:
                lines += [*blank, row[indent:]]
                blank = []
        if "+" in header[0]:
            lines += blank
        chomped = header[0]
        if lines and not value.endswith("\n") and "-" not in chomped:  # the file ends without a line break
            chomped = chomped.replace("+", "") + "-"
        self._at += sum(len(row) + 1 for row in rows[: len(lines)])
        return Entry(Block(chomped, tuple(lines), anchor), comment=comment)

    def _anchor(self, event: Any) -> tuple[tuple[str, ...], str]:
        """Read an anchor, if there is one, and the comments above it."""
        if not event.anchor:
            return (), ""
        before = self._comments_to(event.start_mark.index)
        anchor = f"&{event.anchor}"
        if not self._text.startswith(anchor, self._at):  # there is a tag in front
            raise _Unusual
        self._at += len(anchor)
        return before, anchor

    def _gap(self, end: int) -> tuple[tuple[str, ...], int | None]:
        """Read up to ``end``; return comments and blank lines, and the column of the last ``-`` or ``?`` among them."""
        lines: list[str] = []
        mark = None
        breaks = 0
        for piece in _PIECE.finditer(self._text, self._at, max(self._at, end)):
            if piece[0] == "\n":
                breaks += 1
                continue
            if breaks > 1:
                lines.append("")
            breaks = 0
            if piece[0].startswith("#"):
                lines.append(piece[0].rstrip())
            else:
                mark = piece.start()
        if breaks > 1:
            lines.append("")
        self._at = max(self._at, end)
        return tuple(lines), mark

    def _comments_to(self, end: int) -> tuple[str, ...]:
        lines, _ = self._gap(end)
        return tuple(filter(None, lines))

    def _comments_from(self, column: int) -> tuple[str, ...]:
        """Read the comment lines that follow and are indented at least to ``column``."""
        lines: list[str] = []
        while found := _COMMENT_LINE.match(self._text, self._at):
            if len(found["indent"]) < column:
                break
            if found["breaks"].count("\n") > 1:
                lines.append("")
            lines.append(found["comment"].rstrip())
            self._at = found.end()
        return tuple(lines)

    def _comment(self) -> str:
        """Read the comment at the end of this line, if there is one."""
        found = _SAME_LINE.match(self._text, self._at)
        if found is None or not found[1]:
            return ""
        self._at = found.end()
        return found[1].rstrip()

    def _column(self, offset: int) -> int:
        return offset - self._text.rfind("\n", 0, offset) - 1


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.rstrip("\n").split("\n")) if text else ()


def _indentation(rows: list[str], value: str) -> int:
    """Return the indentation of a block: the blanks of its first line that the value lacks."""
    row, line = (next((each for each in lines if each.strip(" ")), None) for lines in (rows, value.split("\n")))
    if row is None or line is None:
        return max(map(len, rows), default=0)
    return (len(row) - len(row.lstrip(" "))) - (len(line) - len(line.lstrip(" ")))
