"""A file with one choice of branches, or what a macro of it expands to."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from tree_sitter import Node

from opgen.readers.cpp.branches import Variant
from opgen.readers.cpp.lexical import without_literals
from opgen.readers.cpp.scopes import Declaration, declarations
from opgen.readers.cpp.syntax import Parsed, descendants, parse
from opgen.readers.cpp.texts import joined, placed
from opgen.records import dataclass
from opgen.source import Span, Text

_INITIALISER = re.compile(r"\b([A-Za-z_]\w*)\s*(?:\[[^\]\n]{0,200}\]\s*)?(?:=(?!=)|(?=\{))")
_USING = re.compile(r"\busing\s+(?:namespace\b|(?:::)?\w+\s*::)|\bnamespace\s+\w+\s*=")


@dataclass(frozen=True, eq=False)
class Region:
    """Text to read registrations from.

    Attributes:
        text: without comments and directives.
        variant: the branches of the file that were chosen.
        parent: of what a macro expands to, the file, and where in it the macro is called.
    """

    text: Text
    variant: Variant
    parent: tuple[Region, Span] | None = None

    @staticmethod
    def of(variant: Variant) -> Region:
        """Take a whole file."""
        return Region(Text(variant.text, variant.source), variant)

    @cached_property
    def code(self) -> str:
        """The text with its literals blank."""
        return self.variant.code if self.parent is None else without_literals(self.text.value)

    @cached_property
    def file(self) -> Region:
        """The file that the text stands in."""
        return self if self.parent is None else self.parent[0].file

    def place(self, span: Span) -> Span:
        """Where a span of the text stands in the file; all that a macro writes stands where it is called."""
        return span if self.parent is None else self.parent[0].place(self.parent[1])

    @cached_property
    def declarations(self) -> tuple[Declaration, ...]:
        """The declarations of the text."""
        return tuple(declarations(self.code))

    @cached_property
    def may_use_other_namespaces(self) -> bool:
        """Whether names of other namespaces may be written here without them."""
        return _USING.search(self.code) is not None

    def scope_at(self, offset: int) -> tuple[str, ...]:
        """Return the namespaces and classes around an offset."""
        index = bisect_right(self.declarations, offset, key=lambda declaration: declaration.span.start) - 1
        return self.declarations[index].scope if index >= 0 else ()

    @cached_property
    def _initialisers(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for match in _INITIALISER.finditer(self.code):
            found.setdefault(match[1], []).append(match.end())
        return found

    def constant(self, name: str, before: int) -> tuple[Parsed, Node] | None:
        """Find what a constant is initialised with: the last one of that name before an offset, or else the first."""
        places = self._initialisers.get(name)
        if not places:
            return None
        start = places[max(0, bisect_right(places, before) - 1)]
        end = self.code.find(";", start)
        value = self.text.part(Span(start, len(self.code) if end < 0 else end))
        parsed = parse(joined([placed("_ = ", value), value, placed(";", value)], value.source, value.base))
        assignment = next(descendants(parsed.root, "assignment_expression"), None)
        node = None if assignment is None else assignment.child_by_field_name("right")
        return None if node is None else (parsed, node)
