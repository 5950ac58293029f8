"""Finds the offset of each character of a string literal, which ``ast`` doesn't keep."""

from __future__ import annotations

import ast
import re

from opgen.records import dataclass
from opgen.source import Span

_LINE_BREAK = re.compile(r"\r\n?")
_PREFIX = re.compile(r"""([rRbBuUfFtT]*)(\"\"\"|'''|"|')""")
_BETWEEN = re.compile(r"(?:\s|\\(?=[\r\n])|#[^\r\n]*)+")
_ESCAPE = re.compile(r"\\(?:\r\n?|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[0-7]{1,3}|.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Characters:
    """Consecutive characters of a literal, each with its offset in the source."""

    value: str
    offsets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A ``{…}`` of an f-string."""

    span: Span


def scan_literal(text: str, start: int, end: int) -> list[Characters | Placeholder]:
    """Return the pieces of the literals between two offsets; adjacent literals are joined.

    If something isn't understood, there are fewer characters than in the value of ``ast``, which callers must check.
    """
    pieces: list[Characters | Placeholder] = []
    position = start
    while position < end:
        if between := _BETWEEN.match(text, position, end):
            position = between.end()
            continue
        opening = _PREFIX.match(text, position, end)
        if not opening:
            break
        position = _scan_one(text, opening, end, pieces)
    return pieces


def _scan_one(text: str, opening: re.Match[str], end: int, pieces: list[Characters | Placeholder]) -> int:
    """Read one literal behind its opening quote; return the offset behind the closing one."""
    prefix, quote, position = opening[1].lower(), opening[2], opening.end()
    values: list[str] = []
    offsets: list[int] = []

    def flush() -> None:
        if values:
            pieces.append(Characters("".join(values), tuple(offsets)))
            values.clear()
            offsets.clear()

    while position < end and not text.startswith(quote, position):
        character, step = text[position], 1
        if character == "\r":  # Python reads every line break as "\n"
            character, step = "\n", 2 if text.startswith("\r\n", position) else 1
        if character == "\\" and (escape := _ESCAPE.match(text, position)):
            step = len(escape[0])
            character = _LINE_BREAK.sub("\n", escape[0]) if "r" in prefix else _decoded(escape[0])
        elif "f" in prefix and character in "{}":
            if text.startswith(character * 2, position):
                step = 2
            elif character == "{":
                flush()
                step = _field_length(text, position, end)
                pieces.append(Placeholder(Span(position, position + step)))
                character = ""
        values += character
        # A decoded escape is one character at its backslash; in a raw literal each character counts.
        offsets += [position + index for index in range(len(character))]
        position += step
    flush()
    return position + len(quote)


def _decoded(escape: str) -> str:
    try:
        return str(ast.literal_eval(f'"{escape}"')) if escape != '\\"' else '"'
    except (SyntaxError, ValueError):
        return escape


def _field_length(text: str, position: int, end: int) -> int:
    """Return the length of a placeholder up to its closing brace, past braces in strings and inner placeholders."""
    depth, index, quote = 0, position, ""
    while index < end:
        character = text[index]
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "{[(":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return index + 1 - position
        index += 1
    return end - position
