"""The one place where text from ``ops.yaml`` is made safe for another language."""

from __future__ import annotations

import re

# A backslash, or the trigraph for one, perhaps with blanks behind it; read from the end, so that no start is tried twice.
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
    """Lay out a text as a docstring: what would end it, backslashes and control characters escaped, lines indented."""
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
    r"""Quote a text as a C++ narrow string literal in UTF-8; of ``??`` the second is escaped against trigraphs."""
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
    """Lay out a text as line comments, each line behind ``prefix``; none ends in what would join the next line to it."""
    lines = text.strip().splitlines() or [""]
    return "\n".join((prefix + _JOINING_END.sub("", line[::-1], count=1)[::-1]).rstrip() for line in lines)


def cell(markdown: str) -> str:
    """Keep a cell of a table in Markdown from ending early, also inside of code: at a bar, or at the end of a line.

    Backslashes in front of a bar would escape each other, and not the bar.
    """
    return _BAR.sub(r"\1\1\\|", " ".join(markdown.splitlines()))
