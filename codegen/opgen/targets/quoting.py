"""Quotes text from ``ops.yaml`` for C++, Python and Markdown; every template goes through these functions."""

from __future__ import annotations

import re

# Backslashes (or their trigraph) and blanks at the end of a line, which would join the next line to a C++ comment.
# Matched against the reversed line, so that it takes linear time.
_JOINING_END = re.compile(r"(?:\\|/\?\?|\s)*")
_BAR = re.compile(r"(?<!\\)(\\*)\|")
_PRINTABLE = range(0x20, 0x7F)
_NAMED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def py_string(text: str) -> str:
    r"""Quote a text as a Python string literal with double quotes, all ASCII."""

    def escape(character: str) -> str:
        if character in _NAMED:
            return _NAMED[character]
        return character if ord(character) in _PRINTABLE else ascii(character)[1:-1]

    return '"' + "".join(map(escape, text)) + '"'


def py_docstring(text: str, indent: int = 4) -> str:
    """Lay out a text as an indented docstring; closing quotes, backslashes and control characters are escaped."""
    text = text.strip()
    inner = text.rstrip('"')
    escaped = inner.replace("\\", "\\\\").replace('"""', '\\"\\"\\"') + '\\"' * (len(text) - len(inner))
    pad = " " * indent
    lines = ["".join(map(_visible, line.rstrip())) for line in escaped.splitlines()] or [""]
    if len(lines) == 1:
        return f'"""{lines[0]}"""'
    body = "\n".join(f"{pad}{line}" if line else "" for line in lines[1:])
    return f'"""{lines[0]}\n{body}\n{pad}"""'


def _visible(character: str) -> str:
    return character if character.isprintable() or character == "\t" else ascii(character)[1:-1]


def c_string(text: str) -> str:
    r"""Quote a text as a narrow C++ string literal in UTF-8; in ``??`` the second is escaped against trigraphs."""
    pieces: list[str] = []
    for byte in text.encode("utf-8"):
        character = chr(byte)
        if character in '"\\' or (character == "?" and pieces and pieces[-1].endswith("?")):
            pieces.append("\\" + character)
        elif byte in _PRINTABLE:
            pieces.append(character)
        else:
            pieces.append(f"\\{byte:03o}")
    return '"' + "".join(pieces) + '"'


def comment(text: str, prefix: str = "// ") -> str:
    """Lay out a text as line comments behind ``prefix``; backslashes at line ends, which continue it, are dropped."""
    lines = text.strip().splitlines() or [""]
    return "\n".join((prefix + _JOINING_END.sub("", line[::-1], count=1)[::-1]).rstrip() for line in lines)


def cell(markdown: str) -> str:
    """Escape bars and line breaks, which would end a cell of a Markdown table, also inside of code.

    Backslashes in front of a bar are escaped too, as they would otherwise escape each other and not the bar.
    """
    return _BAR.sub(r"\1\1\\|", " ".join(markdown.splitlines()))
