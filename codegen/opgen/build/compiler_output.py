"""Parses the output of g++, clang++ and ld."""

from __future__ import annotations

import posixpath
import re
from typing import Literal

from opgen.records import dataclass

_MESSAGE = re.compile(
    r"^(?P<path>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<kind>fatal error|error|warning): (?P<text>.*)$",
    re.MULTILINE,
)
# The condition of a failed static assertion: g++ prints it as a note, clang++ in front of the message.
_GCC_REQUIREMENT = re.compile(r"note: '(?P<requirement>std::is_same_v<[^'\n]*>)' evaluates to false")
_CLANG_REQUIREMENT = re.compile(r"static assertion failed due to requirement '(?P<requirement>.*?)': (?P<text>.*)")
_SAME_TYPE = re.compile(r"std::is_same_v<(?P<types>.*)>")
_LINKER = re.compile(r"(?:undefined reference to|multiple definition of|undefined symbol:|cannot find) ?.*")


@dataclass(frozen=True, slots=True)
class CompilerMessage:
    """One error or warning; ``path`` is normalised, ``line`` and ``column`` count from 1."""

    path: str
    line: int
    column: int
    kind: Literal["error", "warning"]
    text: str


def read_messages(output: str) -> list[CompilerMessage]:
    """Return errors and warnings in the order in which they were printed, each once."""
    messages: dict[CompilerMessage, None] = {}
    found = list(_MESSAGE.finditer(output))
    ends = [*(match.start() for match in found[1:]), len(output)]
    for match, end in zip(found, ends, strict=False):  # `ends` is longer if nothing was found
        message = CompilerMessage(
            path=posixpath.normpath(match["path"]),
            line=int(match["line"]),
            column=int(match["column"]),
            kind="warning" if match["kind"] == "warning" else "error",
            text=_with_types(match["text"], output[match.end() : end]),
        )
        messages[message] = None
    return list(messages)


def first_linker_message(output: str) -> str:
    """Return the linker's first message that names a cause, or else its last line."""
    if match := _LINKER.search(output):
        return match[0].strip()
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "the linker gave no reason"


def _with_types(text: str, rest: str) -> str:
    """Add the type that was found to the message of a failed type assertion, which names the expected type."""
    if match := _CLANG_REQUIREMENT.match(text):
        text = match["text"]
    else:
        text = text.removeprefix("static assertion failed: ")
        match = _GCC_REQUIREMENT.search(rest)
    same = _SAME_TYPE.fullmatch(match["requirement"]) if match else None
    return f"{text}, found {_first_argument(same['types'])}" if same else text


def _first_argument(types: str) -> str:
    """Return the text before the first comma outside of brackets."""
    depth = 0
    for place, character in enumerate(types):
        if character == "," and depth == 0:
            return types[:place]
        depth += (character in "<([") - (character in ">)]")
    return types
