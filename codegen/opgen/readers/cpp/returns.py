"""Finds the ``return`` statements of a function, without those of lambdas in it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from opgen.readers.cpp.expressions import variable
from opgen.readers.cpp.syntax import Parsed, last_name
from opgen.readers.registrations import Function
from opgen.records import dataclass
from opgen.source import Location

_TUPLES = ("make_tuple", "tuple", "tie", "forward_as_tuple")


@dataclass(frozen=True)
class Returned:
    """One ``return`` statement.

    Attributes:
        location: its location.
        parsed: the syntax tree of the function.
        node: the returned expression; ``None`` for ``return;``.
        values: the returned values: one, none for ``return;``, or the elements of ``{a, b}`` and ``std::make_tuple(a,
            b)``.
        names: for each value the variable that it is, also as ``*x`` or ``std::move(x)``; else empty.
    """

    location: Location
    parsed: Parsed
    node: Node | None
    values: tuple[Node, ...]
    names: tuple[str, ...]


def returned(function: Function) -> Iterator[Returned]:
    """Yield the ``return`` statements of a function whose body was found."""
    parsed = function.node
    if not isinstance(parsed, Parsed):
        return
    lambdas = [
        (node.start_byte, node.end_byte) for node in parsed.nodes.get("lambda_expression", ()) if node != parsed.root
    ]
    for statement in parsed.nodes.get("return_statement", ()):
        if any(start < statement.start_byte < end for start, end in lambdas):
            continue
        node = statement.named_children[0] if statement.named_children else None
        values = () if node is None else _elements(parsed, node)
        names = tuple(variable(parsed, value) for value in values)
        yield Returned(parsed.location(statement), parsed, node, values, names)


def _elements(parsed: Parsed, node: Node) -> tuple[Node, ...]:
    if node.type == "initializer_list":
        return tuple(node.named_children)
    callee, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if callee is not None and listed is not None and last_name(parsed.value(callee)) in _TUPLES:
        return tuple(listed.named_children)
    return (node,)
