"""Finds type aliases: ``using fptr_t = int64_t;`` and ``typedef int64_t fptr_t;``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_USING = re.compile(r"\busing\s+(\w+)\s*=\s*([^\s;{}()#\"][^;{}()#\"]{0,999});")
_TYPEDEF = re.compile(r"\btypedef\s+([^\s;{}()#\"][^;{}()#\"]{0,999});")


def aliases(texts: Iterable[str]) -> Mapping[str, str]:
    """Return the aliases of some sources, name -> type; a name that means different types is left out."""
    meanings: dict[str, set[str]] = {}
    for text in texts:
        for match in _USING.finditer(text) if "using" in text else ():
            meanings.setdefault(match[1], set()).add(" ".join(match[2].split()))
        for match in _TYPEDEF.finditer(text) if "typedef" in text else ():
            *words, name = match[1].split()
            if words and name.isidentifier():
                meanings.setdefault(name, set()).add(" ".join(words))
    return {name: next(iter(types)) for name, types in meanings.items() if len(types) == 1}
