"""Renders a `Document` to its text: indentation, brackets, and collections on one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.build.fmt.tree import Block, Collection, Document, Entry, Paragraph, Value, Word

WIDTH = 120
"""The columns beyond which a collection in brackets is written as a block."""
_STEP = 2


def render(document: Document) -> str:
    """Return the text of a file; each line ends with a line feed."""
    head = [*document.preamble, *_trivia(document.header, 0, is_tight=True)]
    lines = [*head, *_block(document.root, 0, is_tight=not any(document.header[-1:])), *document.closing]
    return "".join(f"{line}\n" for line in lines)


def _block(collection: Collection, column: int, *, is_tight: bool = True) -> Iterator[str]:
    """Yield the lines of a collection in block style; with ``is_tight`` without a blank line before its first entry."""
    for entry in collection.entries:
        yield from _trivia(entry.before, column, is_tight=is_tight)
        yield from _entry(entry, column)
        is_tight = _keeps_blank_lines(entry.value)
    yield from _trivia(collection.after, column, is_tight=is_tight)


def _entry(entry: Entry, column: int) -> Iterator[str]:
    value = entry.value
    head = " " * column + ("-" if entry.key is None else _key(entry.key))
    if isinstance(value, Collection) and not _is_on_one_line(value, head, entry.comment):
        inner = list(_block(value, column + _STEP))
        if entry.key is None and not value.anchor:
            yield f"{head} {inner[0].lstrip()}"
            yield from inner[1:]
        else:
            yield _line(head, value.anchor, entry.comment)
            yield from inner
        return
    first, *rest = _value(value, column)
    yield _line(head, first, entry.comment if not rest or isinstance(value, Block) else "")
    yield from rest[:-1]
    if rest:
        yield rest[-1] if isinstance(value, Block) else _line(rest[-1], "", entry.comment)


def _value(value: Value, column: int) -> Iterator[str]:
    """Yield the lines of a value; the first one begins behind its key or dash."""
    match value:
        case Paragraph():
            yield from _paragraph(value, column)
        case Block(header, lines, anchor):
            indentation = "".join(str(_STEP) if character.isdigit() else character for character in header)
            yield f"{anchor} {indentation}".lstrip()
            for line in lines:
                yield " " * (column + _STEP) + line if line else ""
        case _:
            yield _inline(value)


def _paragraph(paragraph: Paragraph, column: int) -> Iterator[str]:
    """Yield the lines, shifted along with the enclosing collection, but no further left than YAML allows."""
    for number, line in enumerate(paragraph.lines):
        stripped = line.strip(" \t")
        if stripped.endswith("\\"):  # the backslash may escape a blank behind it
            stripped = line.lstrip(" \t")
        indent = len(line) - len(line.lstrip(" \t")) + column - paragraph.column
        yield stripped if number == 0 or not stripped else " " * max(indent, column + _STEP) + stripped


def _is_on_one_line(collection: Collection, head: str, comment: str) -> bool:
    """Whether a collection stays in brackets: if it fits on the line, or if a comment behind it is about all of it."""
    if not collection.in_brackets:
        return False
    return bool(comment) or not collection.entries or len(head) + 1 + len(_inline(collection)) <= WIDTH


def _inline(value: Value) -> str:
    match value:
        case Word(text=text, anchor=anchor):
            return f"{anchor} {text}".strip()
        case Collection(entries=entries, is_mapping=is_mapping, anchor=anchor):
            opening, closing = "{}" if is_mapping else "[]"
            return f"{anchor} {opening}{', '.join(map(_inline_entry, entries))}{closing}".lstrip()
    raise AssertionError(value)  # the reader makes no other value in brackets, see `opgen.build.fmt.read`


def _inline_entry(entry: Entry) -> str:
    value = _inline(entry.value)
    if entry.key is None:
        return value
    return f"{_key(entry.key)} {value}" if value else _inline(entry.key)


def _key(key: Word) -> str:
    return f"{_inline(key)} :" if key.style == "*" else f"{_inline(key)}:"


def _line(head: str, value: str, comment: str) -> str:
    line = f"{head} {value}" if value else head
    return f"{line}  {comment}" if comment else line


def _trivia(lines: Sequence[str], column: int, *, is_tight: bool) -> Iterator[str]:
    """Yield indented comments and blank lines; with ``is_tight`` without blank lines, else without repeated ones."""
    for line in lines:
        if line or not is_tight:
            yield " " * column + line if line else ""
        is_tight = not line


def _keeps_blank_lines(value: Value) -> bool:
    """Whether a blank line behind a value would be part of it, as it ends with a block ``|+``."""
    if isinstance(value, Collection):
        return not value.after and bool(value.entries) and _keeps_blank_lines(value.entries[-1].value)
    return isinstance(value, Block) and "+" in value.header
