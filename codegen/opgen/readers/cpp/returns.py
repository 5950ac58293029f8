"""What a function returns: the expressions of its ``return`` statements, those of lambdas in it left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from opgen.readers.cpp.syntax import Parsed, descendants
from opgen.readers.registrations import Function
from opgen.source import Location


@dataclass(frozen=True)
class Returned:
    """One ``return`` and what it hands back.

    Attributes:
        values: the expressions: one, none of ``return;``, or the elements of ``{a, b}`` and ``std::make_tuple(a, b)``.
        names: of each of them the variable, if it is one, ``*x`` and ``std::move(x)`` too; else empty.
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
    for statement in descendants(parsed.root, "return_statement", skip=("lambda_expression",)):
        node = statement.named_children[0] if statement.named_children else None
        values = () if node is None else _elements(parsed, node)
        names = tuple(variable(parsed, value) for value in values)
        yield Returned(parsed.location(statement), parsed, node, values, names)


def variable(parsed: Parsed, node: Node) -> str:
    """Return the variable that an expression is, seen through ``*x``, ``(x)``, ``x.value()`` and ``std::move(x)``; or nothing."""
    if node.type == "identifier":
        return parsed.value(node)
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return variable(parsed, node.named_children[0])
    if node.type == "pointer_expression":
        inner = node.child_by_field_name("argument")
        return "" if inner is None else variable(parsed, inner)
    if node.type == "call_expression":
        callee, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        arguments = [] if listed is None else listed.named_children
        if callee is None:
            return ""
        if callee.type == "field_expression" and not arguments:
            field, object_ = callee.child_by_field_name("field"), callee.child_by_field_name("argument")
            is_value = field is not None and parsed.value(field) == "value"
            return variable(parsed, object_) if is_value and object_ is not None else ""
        if parsed.value(callee) in ("std::move", "std::ref") and len(arguments) == 1:
            return variable(parsed, arguments[0])
    return ""


def _elements(parsed: Parsed, node: Node) -> tuple[Node, ...]:
    if node.type == "initializer_list":
        return tuple(node.named_children)
    callee, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type == "call_expression" and callee is not None and listed is not None:
        name = parsed.value(callee).partition("<")[0].rpartition("::")[2]
        if name in ("make_tuple", "tuple", "tie", "forward_as_tuple"):
            return tuple(listed.named_children)
    return (node,)
