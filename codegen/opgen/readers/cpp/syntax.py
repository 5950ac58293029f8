"""Pieces of C++ through tree-sitter: small texts that stand alone, so that what can't be parsed spoils nothing around it."""

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
    """A syntax tree and the text that it was made of; offsets of its nodes are offsets of that text."""

    text: Text
    root: Node

    @cached_property
    def nodes(self) -> Mapping[str, tuple[Node, ...]]:
        """All nodes by type, each in the order of the text: for those who ask several times, walked once."""
        found: dict[str, list[Node]] = {}
        stack = [self.root]
        while stack:
            current = stack.pop()
            found.setdefault(current.type, []).append(current)
            stack.extend(reversed(current.named_children))
        return {kind: tuple(nodes) for kind, nodes in found.items()}

    def part(self, node: Node) -> Text:
        """Return a node's text, which knows where it stands."""
        return self.text.part(self.span(node))

    def value(self, node: Node) -> str:
        """Return a node's text."""
        return self.text.value[node.start_byte : node.end_byte]

    def location(self, node: Node) -> Location:
        """Return where a node stands in its file."""
        return self.text.locate(self.span(node))

    @staticmethod
    def span(node: Node) -> Span:
        """Return where a node stands in the text of the tree."""
        return Span(node.start_byte, node.end_byte)


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_cpp.language()))


def parse(text: Text, code: str | None = None) -> Parsed:
    """Parse a text, or ``code``: the same text as long as it with things blanked that the grammar of C++ does not know.

    Characters outside ASCII are parsed as ``_``, so that tree-sitter's offsets, which count bytes, count characters. A
    CUDA launch, ``f<<<grid, block>>>(x)``, is parsed as a call of a call, ``f(grid, block)(x)``.
    """
    readable = _STRANGE.sub("_", text.value if code is None else code)
    if "<<<" in readable:
        readable = _LAUNCH.sub(r"(  \g<configuration>  )", readable)
    return Parsed(text, _parser().parse(readable.encode("ascii")).root_node)


def descendants(node: Node, *types: str, skip: tuple[str, ...] = ()) -> Iterator[Node]:
    """Yield the nodes of some types at or below ``node`` in the order of the text; nothing below the types ``skip``."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in types:
            yield current
        if current is node or current.type not in skip:
            stack.extend(reversed(current.named_children))


def last_name(name: str) -> str:
    """Return the last part of a name, ``b`` of ``a::b<int>``."""
    return re.sub(r"<.*", "", name, flags=re.DOTALL).rpartition("::")[2].strip()


def regular(code: str) -> str:
    """Make the whitespace of a type regular: ``const  Tensor &`` becomes ``const Tensor&``."""
    tight = _TIGHT.sub(r"\1", _BLANKS.sub(" ", code).strip())
    return re.sub(r"([&*>])(?=\w)", r"\1 ", tight.replace(",", ", "))
