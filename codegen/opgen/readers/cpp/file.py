"""A source with what is made of it once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from opgen.readers.cpp.branches import variants
from opgen.readers.cpp.lexical import Lexed, lex
from opgen.readers.cpp.macros import Macro, macros_of
from opgen.readers.cpp.region import Region
from opgen.readers.cpp.scopes import Declaration
from opgen.source import Source

_OPENED = re.compile(r"\b([A-Za-z_]\w*)\s*[(<]")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]{0,200}>\s*)?\(")


class File:
    """One source of a run; each stage of its reading happens when something asks for it, and once."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def lexed(self) -> Lexed:
        """Comments and directives told from code."""
        return lex(self.source.text)

    @cached_property
    def macros(self) -> tuple[Macro, ...]:
        """The macros that it defines."""
        return tuple(macros_of(self.source, self.lexed)) if "define" in self.source.text else ()

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The file with each choice of branches."""
        return tuple(Region.of(variant) for variant in variants(self.source, self.lexed))

    @cached_property
    def opened(self) -> frozenset[str]:
        """The names in front of a bracket: a quick test for what it may call or declare."""
        return frozenset(_OPENED.findall(self.source.text))

    @cached_property
    def bodies(self) -> dict[str, list[tuple[Region, Declaration]]]:
        """The functions that it defines, by each name in front of a parenthesis of their heads."""
        found: dict[str, list[tuple[Region, Declaration]]] = {}
        for region, declaration in self._defined():
            for name in dict.fromkeys(_CALL.findall(region.code, declaration.span.start, declaration.head_end)):
                found.setdefault(name, []).append((region, declaration))
        return found

    def _defined(self) -> Iterator[tuple[Region, Declaration]]:
        """Yield what has a body; a text that another choice of branches had already comes once."""
        seen: set[tuple[int, str]] = set()
        for region in self.regions:
            for declaration in region.declarations:
                key = (declaration.span.start, region.code[slice(*declaration.span)])
                if region.code.startswith("{", declaration.head_end) and key not in seen:
                    seen.add(key)
                    yield region, declaration
