"""Where a key stands in a TOML file.

The parser of the standard library tells no places, so the text is searched: within the table's own lines, else wherever the
key is followed by ``=``. In a file that spells one key twice in one table the first is shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from opgen.source import Location, Source, Span

_HEADER = re.compile(r"^[ \t]*\[\[?(?P<name>[^\]\n]+)\]", re.MULTILINE)


def key_place(source: Source, table: Sequence[str], key: str) -> Location:
    """Return where a key of a table stands; the table's header, or the first character, where it is not found."""
    word = re.compile(
        rf"""(?<![\w-])(?:"{re.escape(key)}"|'{re.escape(key)}'|{re.escape(key)}(?![\w-]))(?=\s*[=.\]])"""
    )
    sections = _sections(source.text)
    own = [span for name, span in sections if name == tuple(table)]
    # A dotted key, `lint.ignore = …`, or an inline table, `lint = {ignore = …}`, stands in a table further out.
    outer = [span for name, span in sections if name == tuple(table)[: len(name)] or name[: len(table)] == tuple(table)]
    for span in (*own, *outer):
        if found := word.search(source.text, *span):
            return Location(source, Span(*found.span()))
    return Location(source, own[0] if own else Span(0, min(1, len(source.text))))


def value_place(source: Source, table: Sequence[str], key: str, value: str) -> Location:
    """Return where a text stands among the values of a key; the key where it is not found."""
    place = key_place(source, table, key)
    found = re.compile(rf"""["']{re.escape(value)}["']""").search(source.text, place.span.end)
    return Location(source, Span(found.start() + 1, found.end() - 1)) if found else place


def _sections(text: str) -> list[tuple[tuple[str, ...], Span]]:
    """Return each table's name and the lines from its header to the next one."""
    headers = list(_HEADER.finditer(text))
    starts = [0, *(header.start() for header in headers)]
    names = [(), *(tuple(part.strip(" \t\"'") for part in header["name"].split(".")) for header in headers)]
    return [(name, Span(start, end)) for name, start, end in zip(names, starts, [*starts[1:], len(text)], strict=True)]
