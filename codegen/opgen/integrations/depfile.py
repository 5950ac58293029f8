"""Dependency files, as compilers write them with ``-MF``: make, ninja and CMake read them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPECIAL = re.compile(r"(?<!\\)(\\*)([ #])|\$")


def depfile(target: str, inputs: Iterable[str]) -> str:
    """Return the text that says what ``target`` was made of.

    Blanks and ``#`` are escaped by a backslash and ``$`` is doubled; backslashes are doubled in front of such an escape and
    nowhere else. That is how g++ does it (``munge`` in ``libcpp/mkdeps.cc``), and how ninja and CMake read it.
    """
    lines = [f"{_escaped(target)}:", *map(_escaped, inputs)]
    return " \\\n  ".join(lines) + "\n"


def _escaped(path: str) -> str:
    return _SPECIAL.sub(lambda match: f"{match[1]}{match[1]}\\{match[2]}" if match[2] else "$$", path)
