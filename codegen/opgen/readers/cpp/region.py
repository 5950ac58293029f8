"""A text to read: a file with one choice of branches, or the expansion of a macro in it."""

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
        text: the text without comments and directives.
        variant: the variant of the file.
        parent: for the expansion of a macro, the region and span of the macro's call; else ``None``.
    """

    text: Text
    variant: Variant
    parent: tuple[Region, Span] | None = None

    @staticmethod
    def of(variant: Variant) -> Region:
        """Return the region of a whole file."""
        return Region(Text(variant.text, variant.source), variant)

    @cached_property
    def code(self) -> str:
        """The text with literals blanked."""
        return self.variant.code if self.parent is None else without_literals(self.text.value)

    @cached_property
    def file(self) -> Region:
        """The region of the file that the text is in."""
        return self if self.parent is None else self.parent[0].file

    def place(self, span: Span) -> Span:
        """Return the span in the file of a span of the text; for the expansion of a macro, the span of its call."""
        return span if self.parent is None else self.parent[0].place(self.parent[1])

    @cached_property
    def declarations(self) -> tuple[Declaration, ...]:
        """The declarations in the text."""
        return tuple(declarations(self.code))

    @cached_property
    def may_use_other_namespaces(self) -> bool:
        """Whether the text has ``using`` directives, so that names of other namespaces may be unqualified."""
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
        """Return the initializer of a constant: of the last one of that name before an offset, or else the first."""
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
