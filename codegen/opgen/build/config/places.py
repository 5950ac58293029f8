"""Finds the location of a key in a TOML file.

The parser of the standard library gives no locations, so the text is searched: first in the table's own lines, then
anywhere for the key followed by ``=``. If a table has a key twice, the first one is returned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from opgen.source import Location, Source, Span

_HEADER = re.compile(r"^[ \t]*\[\[?(?P<name>[^\]\n]+)\]", re.MULTILINE)


def key_place(source: Source, table: Sequence[str], key: str) -> Location:
    """Return the location of a key in a table, else that of the table's header, else the start of the file."""
    word = re.compile(
        rf"""(?<![\w-])(?:"{re.escape(key)}"|'{re.escape(key)}'|{re.escape(key)}(?![\w-]))(?=\s*[=.\]])"""
    )
    sections = _sections(source.text)
    own = [span for name, span in sections if name == tuple(table)]
    # A dotted key, `lint.ignore = …`, or an inline table, `lint = {ignore = …}`, is in an outer table.
    outer = [span for name, span in sections if name == tuple(table)[: len(name)] or name[: len(table)] == tuple(table)]
    for span in (*own, *outer):
        if found := word.search(source.text, *span):
            return Location(source, Span(*found.span()))
    return Location(source, own[0] if own else Span(0, min(1, len(source.text))))


def value_place(source: Source, table: Sequence[str], key: str, value: str) -> Location:
    """Return the location of a text among the values of a key, or that of the key if it is not found."""
    place = key_place(source, table, key)
    found = re.compile(rf"""["']{re.escape(value)}["']""").search(source.text, place.span.end)
    return Location(source, Span(found.start() + 1, found.end() - 1)) if found else place


def _sections(text: str) -> list[tuple[tuple[str, ...], Span]]:
    """Return each table's name, and the span from its header to the next one."""
    headers = list(_HEADER.finditer(text))
    starts = [0, *(header.start() for header in headers)]
    names = [(), *(tuple(part.strip(" \t\"'") for part in header["name"].split(".")) for header in headers)]
    return [(name, Span(start, end)) for name, start, end in zip(names, starts, [*starts[1:], len(text)], strict=True)]
