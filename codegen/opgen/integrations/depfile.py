"""Dependency files, as compilers write them with ``-MF``: make, ninja and CMake read them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPECIAL = re.compile(r"[ #\\]|\$")


def depfile(target: str, inputs: Iterable[str]) -> str:
    """Return the text that says what ``target`` was made of.

    Blanks and ``#`` are escaped by a backslash and ``$`` is doubled, as g++ does. A backslash stands before itself only
    where an escape follows; no path of ours ends in one.
    """
    lines = [f"{_escaped(target)}:", *map(_escaped, inputs)]
    return " \\\n  ".join(lines) + "\n"


def _escaped(path: str) -> str:
    return _SPECIAL.sub(lambda match: "$$" if match[0] == "$" else f"\\{match[0]}", path)
