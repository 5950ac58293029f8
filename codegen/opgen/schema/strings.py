r"""String literals as PyTorch reads them (``torch/csrc/jit/frontend/parse_string_literal.h``).

C++ strings hold bytes, the source text is UTF-8. A value is kept as ``str``, with a byte that is not UTF-8 (``"\351"``)
as a lone surrogate, Python's own convention (``errors="surrogateescape"``).
"""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\(?:([0-7]{3})|([\s\S]))")
_SIMPLE = {b"\\": b"\\", b"'": b"'", b'"': b'"', b"\n": b"\n"} | {
    letter.encode(): value.encode() for letter, value in zip("abfnvt", "\a\b\f\n\v\t", strict=True)
}
_PRINTED = {value[0]: b"\\" + letter for letter, value in _SIMPLE.items() if letter not in {b"'", b"\n"}}


_DELETE = 0x7F


class BadEscapeError(ValueError):
    """An escape that PyTorch does not know; ``args[0]`` is its text."""


def decode(literal: str) -> str:
    """Return the value of a literal, which includes its quotes.

    Raises:
        BadEscapeError: the literal has an escape that PyTorch does not know.
    """
    quotes = 3 if literal[:3] in {'"""', "'''"} else 1
    body = literal[quotes:-quotes].encode(errors="surrogateescape")
    return _ESCAPE.sub(_unescape, body).decode(errors="surrogateescape")


def encode(value: str) -> str:
    """Return the literal in double quotes that PyTorch reads as ``value``."""
    body = b"".join(
        _PRINTED.get(byte) or (bytes([byte]) if ord(" ") <= byte != _DELETE else b"\\%03o" % byte)
        for byte in value.encode(errors="surrogateescape")
    )
    text = body.decode(errors="surrogateescape")
    return '"' + "".join(_octal_if_surrogate(character) for character in text) + '"'


def _octal_if_surrogate(character: str) -> str:
    return f"\\{ord(character) - 0xDC00:03o}" if "\udc80" <= character <= "\udcff" else character


def _unescape(match: re.Match[bytes]) -> bytes:
    octal, letter = match.groups()
    if octal and octal < b"400":
        return bytes([int(octal, 8)])
    if letter in _SIMPLE:
        return _SIMPLE[letter]
    raise BadEscapeError(match[0].decode(errors="replace"))
