"""Making a body readable for the parser: macros that hide calls are expanded, those that are no statement are blanked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from opgen.readers.cpp.macros import Macro

_LOOSE = re.compile(
    r"\b__(?:shared|restrict|constant|device|host|forceinline|noinline|unused)(?:__)?\b|\b__align__\s*\([^()]*\)"
    r"|(?<=[;{})\n])(?P<indent>[ \t]*)(?!(?:if|for|while|switch|else|return|do)\b)[A-Z_][A-Z0-9_]+[ \t]*\([\w, \t]*\)[ \t]*(?=\n\s*[\w*}])"
)
_CALLS = re.compile(r"[\w>]\s*\(")
_PASTES = re.compile(r"<<<|__VA_ARGS__\s*;")
_CHECKS = re.compile(r"CHECK|ASSERT|ENFORCE|REQUIRE")
_VISIBLE = re.compile(r"[^\r\n]")


def readable(code: str) -> str:
    """Blank qualifiers of CUDA, and macros on lines of their own that no ``;`` ends: what follows would be taken for a part."""
    return _LOOSE.sub(lambda match: _VISIBLE.sub(" ", match[0]), code)


def hides(macro: Macro) -> bool:
    """Whether a macro may hide a call; of others, such as those that only hand on a lambda, the name is enough."""
    if macro.parameters is None or _CHECKS.search(macro.name):
        return False
    if _PASTES.search(macro.body):
        return True
    return "..." not in macro.parameters and _CALLS.search(macro.body) is not None


class Hiding(Mapping[str, Macro]):
    """Of the macros of a file those that may hide a call."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self._macros = macros

    def __getitem__(self, name: str) -> Macro:
        """Return one of them.

        Raises:
            KeyError: there is none, or it hides nothing.
        """
        macro = self._macros[name]
        if not hides(macro):
            raise KeyError(name)
        return macro

    def __iter__(self) -> Iterator[str]:
        """Go through their names."""
        return (name for name in self._macros if name in self)

    def __len__(self) -> int:
        """How many there are."""
        return sum(1 for _ in self)
