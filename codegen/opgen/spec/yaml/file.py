"""Reads a file to a text, and reports what is wrong with it before its YAML is parsed: size, encoding, characters."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Protocol

from opgen.diagnostics import Diagnostic
from opgen.source import Location, Source, Span
from opgen.spec.yaml.codes import FORBIDDEN_CHARACTER, NOT_UTF8, UNREADABLE_FILE

SIZE_LIMIT = 16 * 1024 * 1024  # bytes; torch's own native_functions.yaml has 0.6 MiB
_REPORTED = 10  # forbidden characters that are reported one by one: a binary file has thousands
_FORBIDDEN = (
    "\r(?!\n)"
    "|[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"  # control characters and U+FEFF
    "|[\u2028\u2029]"  # line breaks, for YAML alone
    "|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # marks of writing direction
)
"""A pattern, compiled only when needed, since compiling takes longer than linting a hundred schemas."""


def shown_path(path: Path) -> str:
    """Return a path for messages: relative to the working directory if it is inside of that, with forward slashes."""
    absolute = path.absolute()
    here = Path.cwd()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else absolute).as_posix()


class Read(Protocol):
    """Reads a file: from the disk (`read_source`), or with changes that are not written yet."""

    def __call__(self, path: Path, /) -> tuple[Source | None, list[Diagnostic]]:
        """Return a file's text, ``None`` if it can't be read, and the diagnostics."""


def read_source(path: Path) -> tuple[Source | None, list[Diagnostic]]:
    """Read a file of at most ``SIZE_LIMIT`` bytes in UTF-8, without a byte order mark; ``None`` if it can't be read."""
    shown = shown_path(path)
    try:
        with path.open("rb") as file:
            content = file.read(SIZE_LIMIT + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return None, [_unreadable(shown, f"can't read '{shown}': {_reason(error)}")]
    return decode_source(shown, content)


def decode_source(shown: str, content: bytes) -> tuple[Source | None, list[Diagnostic]]:
    """Decode the bytes of a file or a stream, as `read_source` does."""
    if len(content) > SIZE_LIMIT:
        return None, [_unreadable(shown, f"the file is larger than {SIZE_LIMIT // 2**20} MiB")]
    try:
        return Source(shown, content.decode("utf-8-sig")), []
    except UnicodeDecodeError as error:
        source = Source(shown, content[: error.start].decode("utf-8-sig") + "\ufffd")
        place = len(source.text) - 1
        message = f"byte 0x{content[error.start]:02x} is no UTF-8"
        where = Location(source, Span(place, place + 1))
        return None, [Diagnostic(NOT_UTF8, message, where, help=NOT_UTF8.remedy)]


def missing_source(shown: str) -> Diagnostic:
    """Return the diagnostic for a file that doesn't exist."""
    return _unreadable(shown, f"can't read '{shown}': there is no such file")


def without_forbidden(source: Source) -> tuple[str, list[Diagnostic]]:
    """Return the text with each forbidden character replaced by one that isn't, and the diagnostics.

    Offsets stay valid, so that the rest of the text can still be checked.
    """
    if source.text.isascii() and source.text.replace("\n", "").isprintable():  # quick, and true of nearly every file
        return source.text, []
    found = list(re.finditer(_FORBIDDEN, source.text))
    diagnostics = []
    for count, match in enumerate(found[:_REPORTED], start=1):
        message = f"the character U+{ord(match[0]):04X} ({_character_name(match[0])}) is not allowed"
        if count == _REPORTED < len(found):
            message += f", and {len(found) - count} more follow"
        place = Location(source, Span(*match.span()))
        diagnostics.append(Diagnostic(FORBIDDEN_CHARACTER, message, place, help=FORBIDDEN_CHARACTER.remedy))
    if not found:
        return source.text, []
    return re.sub(_FORBIDDEN, lambda match: "\n" if match[0] == "\r" else "\ufffd", source.text), diagnostics


def _character_name(character: str) -> str:
    if character == "\r":
        return "carriage return without line feed"
    return unicodedata.name(character, "control character").lower()


def _unreadable(shown: str, message: str) -> Diagnostic:
    place = Location(Source(shown, ""), Span(0, 0))
    return Diagnostic(UNREADABLE_FILE, message, place, help=UNREADABLE_FILE.remedy)


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "it is a folder"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
