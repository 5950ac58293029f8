"""Read what g++, clang++ and ld print."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Literal

_MESSAGE = re.compile(
    r"^(?P<path>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<kind>fatal error|error|warning): (?P<text>.*)$",
    re.MULTILINE,
)
_LINKER = re.compile(r"(?:undefined reference to|multiple definition of|undefined symbol:|cannot find) ?.*")


@dataclass(frozen=True, slots=True)
class CompilerMessage:
    """One error or warning; ``path`` is normalised, ``column`` counts from 1."""

    path: str
    line: int
    column: int
    kind: Literal["error", "warning"]
    text: str


def read_messages(output: str) -> list[CompilerMessage]:
    """Return errors and warnings in the order in which they were printed, each once."""
    messages: dict[CompilerMessage, None] = {}
    for match in _MESSAGE.finditer(output):
        message = CompilerMessage(
            path=posixpath.normpath(match["path"]),
            line=int(match["line"]),
            column=int(match["column"]),
            kind="warning" if match["kind"] == "warning" else "error",
            text=match["text"].removeprefix("static assertion failed: "),
        )
        messages[message] = None
    return list(messages)


def first_linker_message(output: str) -> str:
    """Return the first sentence of the linker that names a cause, else its last line."""
    if match := _LINKER.search(output):
        return match[0].strip()
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "the linker gave no reason"
