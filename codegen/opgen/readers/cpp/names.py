"""Reads the names of ops and dispatch keys in registrations."""

from __future__ import annotations

import re

from opgen.readers.cpp.texts import joined, placed
from opgen.source import Text

CATCH_ALL = "CompositeImplicitAutograd"
"""The dispatch key of a kernel that is registered without one."""

_KEY = re.compile(r"(?:\w+\s*::\s*)*(?:k(?=[A-Z]))?([A-Z]\w*)")
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")


def arity(schema: str) -> int | None:
    """Return the number of arguments in the text of a schema, ``None`` for a name only."""
    if "(" not in schema:
        return None
    depth, pieces = 0, [""]
    for character in _STRING.sub("", schema[schema.index("(") + 1 :]):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if depth < 0:
            break
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return sum(piece.strip() not in ("", "*") for piece in pieces)


def operator(namespace: str, text: Text) -> Text:
    """Return an op's qualified name; a namespace in the text takes precedence over that of the block."""
    if "::" in text.value:
        return text
    return joined([placed(f"{namespace}::", text), text], text.source, text.base)


def dispatch_key(written: str) -> str | None:
    """Return the dispatch key of ``c10::DispatchKey::CPU``, ``torch::kCPU`` or ``CPU``; ``None`` for a variable."""
    match = _KEY.fullmatch(written.strip().strip('"'))
    if match is None:
        return None
    return CATCH_ALL if match[1] == "CatchAll" else match[1]
