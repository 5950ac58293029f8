r"""Finds the offset in the file of each character of a YAML scalar.

The YAML library only gives a scalar's value and the offsets of its start and end. Here the scalar is scanned again
beside the known value: a folded line break, a ``\t``, a ``''`` and the indentation of a block shift all following
characters. The rules are those of YAML 1.1, chapters 7 and 8, as libyaml applies them (``yaml_parser_scan_*_scalar``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.source import Source, Span, Text

# One step of a plain or quoted scalar: blanks with line breaks among them, an escape, or any other character.
_BREAK = r"(?:\r\n|\n|\r)"
_FOLD = rf"[ \t]*(?P<fold>(?:{_BREAK}[ \t]*)+)"
_BLANKS = r"(?P<blanks>[ \t]+)"  # greedy: matching blanks one by one would take quadratic time
_CONTINUATION = rf"\\{_BREAK}[ \t]*(?P<continuation>(?:{_BREAK}[ \t]*)*)"
_ESCAPE = r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)"
_STEPS = {
    "": re.compile(rf"{_FOLD}|{_BLANKS}|.", re.DOTALL),
    "'": re.compile(rf"{_FOLD}|{_BLANKS}|''|.", re.DOTALL),
    '"': re.compile(rf"{_FOLD}|{_BLANKS}|{_CONTINUATION}|{_ESCAPE}|.", re.DOTALL),
}
_LINE_BREAK = re.compile(_BREAK)
_LINE = re.compile(rf"(?P<text>[^\r\n]*)(?P<end>{_BREAK}|$)")


def scalar_text(source: Source, value: str, style: str, span: Span) -> Text:
    """Pair the value of a scalar with the offsets of its characters.

    Args:
        source: the file.
        value: the scalar's value from the YAML library.
        style: ``""`` for a plain scalar, ``"'"``, ``'"'``, ``"|"`` or ``">"``.
        span: the span of the whole scalar in the file with quotes or block header, without anchor and tag.
    """
    if style in ("|", ">"):
        offsets = list(_block_offsets(source.text, value, span, folded=style == ">"))
        offsets = offsets[: len(value)]
        return Text(value, source, 0, (*offsets, offsets[-1] + 1 if offsets else span.end))
    start, end = (span.start + 1, span.end - 1) if style else span
    if end - start == len(value) and source.text.startswith(value, start):
        return Text(value, source, start)  # nearly every scalar is verbatim
    return Text(value, source, 0, (*_flow_offsets(source.text, start, end, style), end))


def _flow_offsets(text: str, start: int, end: int, style: str) -> Iterator[int]:
    """Yield the offset of each character of a plain or quoted scalar whose value differs from its text."""
    for step in _STEPS[style].finditer(text, start, end):
        kind = step.lastgroup
        if kind is None:
            yield step.start()
            continue
        if kind == "blanks":
            yield from range(*step.span())
            continue
        breaks = [step.start(kind) + found.start() for found in _LINE_BREAK.finditer(step[kind])]
        if kind == "fold":  # one break is a blank; of several the first is dropped
            breaks = breaks[1:] or breaks
        yield from breaks


def _block_offsets(text: str, value: str, span: Span, *, folded: bool) -> Iterator[int]:
    """Yield the offsets of a literal or folded block, also for line breaks at its end that chomping removes."""
    lines = list(_LINE.finditer(text, span.start, span.end))[1:]  # the first line is the header
    indent = _indentation([line["text"] for line in lines], value)
    breaks: list[int] = []  # since the last line that was not empty
    was_indented = False
    started = False
    for line in lines:
        first = line.start() + indent
        if first < line.end("text"):
            is_indented = text[first] in " \t"
            if folded and started and not was_indented and not is_indented:
                yield from breaks[1:] or breaks
            else:
                yield from breaks
            yield from range(first, line.end("text"))
            breaks, was_indented, started = [], is_indented, True
        if line["end"]:
            breaks.append(line.end("text"))
    yield from breaks


def _indentation(lines: list[str], value: str) -> int:
    """Return the indentation of a block in blanks, found from the first line with content."""
    for line, content in zip(lines, value.split("\n"), strict=False):
        if content:
            return _leading_blanks(line) - _leading_blanks(content)
    return max(map(len, lines), default=0)


def _leading_blanks(text: str) -> int:
    return len(text) - len(text.lstrip(" "))
