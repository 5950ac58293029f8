"""Parses pieces of C++ with tree-sitter, each on its own, so that a syntax error does not affect the rest of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from opgen.records import dataclass
from opgen.source import Location, Span, Text

_STRANGE = re.compile(r"[^\t\n\r -~]")
_LAUNCH = re.compile(r"<<<(?P<configuration>(?:(?!<<<)[^;{}]){0,999}?)>>>(?=\s*\()")
_BLANKS = re.compile(r"\s+")
_TIGHT = re.compile(r" ?([<>&*:()\[\]]|,) ?")


@dataclass(frozen=True)
class Parsed:
    """A syntax tree and its text; offsets of nodes are offsets in that text."""

    text: Text
    root: Node

    @cached_property
    def nodes(self) -> Mapping[str, tuple[Node, ...]]:
        """All nodes by type, in the order of the text; walked once, for repeated queries."""
        found: dict[str, list[Node]] = {}
        stack = [self.root]
        while stack:
            current = stack.pop()
            found.setdefault(current.type, []).append(current)
            stack.extend(reversed(current.named_children))
        return {kind: tuple(nodes) for kind, nodes in found.items()}

    def part(self, node: Node) -> Text:
        """Return a node's text with its location."""
        return self.text.part(self.span(node))

    def value(self, node: Node) -> str:
        """Return a node's text as a string."""
        return self.text.value[node.start_byte : node.end_byte]

    def location(self, node: Node) -> Location:
        """Return the location of a node in its file."""
        return self.text.locate(self.span(node))

    @staticmethod
    def span(node: Node) -> Span:
        """Return the span of a node in the text of the tree."""
        return Span(node.start_byte, node.end_byte)


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_cpp.language()))


def parse(text: Text, code: str | None = None) -> Parsed:
    """Parse a text, or ``code``, which must be the same text with parts blanked that the C++ grammar does not know.

    Characters outside ASCII are parsed as ``_``, so that tree-sitter's offsets, which count bytes, count characters. A
    CUDA launch, ``f<<<grid, block>>>(x)``, is parsed as a call of a call, ``f(grid, block)(x)``.
    """
    readable = _STRANGE.sub("_", text.value if code is None else code)
    if "<<<" in readable:
        readable = _LAUNCH.sub(r"(  \g<configuration>  )", readable)
    return Parsed(text, _parser().parse(readable.encode("ascii")).root_node)


def descendants(node: Node, *types: str, skip: tuple[str, ...] = ()) -> Iterator[Node]:
    """Yield the nodes of some types at or below ``node``, in the order of the text; none below nodes to ``skip``."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in types:
            yield current
        if current is node or current.type not in skip:
            stack.extend(reversed(current.named_children))


def last_name(name: str) -> str:
    """Return the unqualified name, ``b`` of ``a::b<int>``."""
    return re.sub(r"<.*", "", name, flags=re.DOTALL).rpartition("::")[2].strip()


def regular(code: str) -> str:
    """Normalise the whitespace of a type: ``const  Tensor &`` becomes ``const Tensor&``."""
    tight = _TIGHT.sub(r"\1", _BLANKS.sub(" ", code).strip())
    return re.sub(r"([&*>])(?=\w)", r"\1 ", tight.replace(",", ", "))
