"""Decodes string literals of C++: joins adjacent ones, resolves escapes, and keeps the location of each character."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from tree_sitter import Node

from opgen.readers.cpp.syntax import Parsed, last_name
from opgen.readers.cpp.texts import joined, offsets
from opgen.source import Span, Text

Constant = Callable[[str], "tuple[Parsed, Node] | None"]
"""Finds the initialiser of a constant by its name."""

MOST_NESTED = 100
LONGEST = 10_000
"""A constant of more characters is no schema."""
_TRANSPARENT = {
    "TORCH_SELECTIVE_NAME", "TORCH_SELECTIVE_SCHEMA", "schema", "parseSchema", "parseSchemaOrName", "string",
    "string_view", "c_str", "data", "move",
}  # fmt: skip
_RAW = re.compile(r'(?:u8|[uUL])?R"([^()\\\s"]*)\((.*)\)\1"', re.DOTALL)
_CHARACTER = re.compile(
    r"\\(?P<octal>[0-7]{1,3})|\\x(?P<hex>[0-9a-fA-F]+)|\\u(?P<u>[0-9a-fA-F]{4})|\\U(?P<U>[0-9a-fA-F]{8})"
    r"|(?P<spliced>\\\r?\n)|\\(?P<simple>.)|(?P<plain>.)",
    re.DOTALL,
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def string(parsed: Parsed, node: Node, constant: Constant) -> Text | None:
    """Evaluate a string: literals, sums of them, wrappers as ``torch::schema``, constants; else return ``None``."""
    return _Strings(constant).of(parsed, node)


class _Strings:
    """Evaluates one string. A constant that stands in it twice is evaluated once: it may hold another one twice, and so on."""

    def __init__(self, constant: Constant) -> None:
        self._constant = constant
        self._texts: dict[str, Text | None] = {}

    def of(self, parsed: Parsed, node: Node, depth: int = 0) -> Text | None:
        """Evaluate a part of it."""
        if depth > MOST_NESTED:
            return None
        if node.type in ("string_literal", "raw_string_literal"):
            return decoded(parsed.part(node))
        if node.type in ("identifier", "qualified_identifier"):
            return self._named(last_name(parsed.value(node)), depth)
        children = _strings_in(parsed, node)
        if not children:
            return None
        parts = [self.of(parsed, child, depth + 1) for child in children]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or len({part.source for part in known}) > 1:
            return None
        return joined(known, known[0].source, known[0].base)

    def _named(self, name: str, depth: int) -> Text | None:
        if name not in self._texts:
            self._texts[name] = None  # of one that is made of itself
            found = self._constant(name)
            text = None if found is None else self.of(*found, depth + 1)
            self._texts[name] = None if text is None or len(text.value) > LONGEST else text
        return self._texts[name]


def _strings_in(parsed: Parsed, node: Node) -> list[Node]:
    if node.type in ("parenthesized_expression", "concatenated_string", "initializer_list"):
        return node.named_children
    if node.type == "binary_expression" and parsed.value(node.children[1]) == "+":
        return node.named_children
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type != "call_expression" or function is None or arguments is None:
        return []
    if function.type == "field_expression":
        name, argument = function.child_by_field_name("field"), function.child_by_field_name("argument")
        is_known = name is not None and parsed.value(name) in _TRANSPARENT
        return [argument] if is_known and argument is not None else []
    return arguments.named_children[:1] if last_name(parsed.value(function)) in _TRANSPARENT else []


def decoded(literal: Text) -> Text:
    r"""Decode one literal, given with its quotes. The location of an escape as ``\u00e9`` is that of its backslash."""
    places = offsets(literal)
    if raw := _RAW.fullmatch(literal.value):
        return literal.part(Span(*raw.span(2)))
    start = literal.value.index('"') + 1
    end = len(literal.value) - (1 if len(literal.value) > start and literal.value.endswith('"') else 0)
    if "\\" not in literal.value:
        return literal.part(Span(start, end))
    characters: list[str] = []
    kept: list[int] = []
    for match in _CHARACTER.finditer(literal.value, start, end):
        if (character := _character(match)) is not None:
            characters.append(character)
            kept.append(places[match.start()])
    return Text("".join(characters), literal.source, places[start], (*kept, places[end]))


def _character(match: re.Match[str]) -> str | None:
    kind, value = match.lastgroup, match[match.lastgroup or 0]
    if kind == "plain":
        return value
    if kind == "spliced":
        return None
    if kind == "simple":
        return _SIMPLE.get(value, value)
    code = int(value, 8 if kind == "octal" else 16)
    return chr(code) if code <= sys.maxunicode else "\N{REPLACEMENT CHARACTER}"
