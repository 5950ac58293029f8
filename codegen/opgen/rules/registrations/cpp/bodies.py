"""Finds, in the text of a C++ kernel's body, which of its tensors are written, aliased or returned."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from opgen.readers.cpp.expressions import Chain, chain, method_calls
from opgen.readers.cpp.pointers import PointerAccess, pointer_accesses
from opgen.readers.cpp.returns import Returned
from opgen.readers.cpp.syntax import Parsed
from opgen.readers.cpp.tensor_methods import VIEWS, is_in_place
from opgen.readers.registrations import Function
from opgen.source import Location

_THROWS = re.compile(
    r"throw\b|(?:::|std::)*(?:abort|terminate|(?:__builtin_)?unreachable)\s*\("
    r"|(?=\w*(?:CHECK|ASSERT))\w+\s*\(\s*(?:false|0)\b|AT_ERROR\s*\("
)
_ASSIGNS = r"\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)"


def shared(found: Chain) -> bool:
    """Whether the value of a chain of methods is its variable, or shares memory with it."""
    return all(is_in_place(method) or method in VIEWS for method in found.methods)


def aliases_in(function: Function, names: frozenset[str]) -> dict[str, str]:
    """Return local variable -> the argument that it is or views, by ``auto y = x.view(…)`` and never assigned again."""
    parsed = function.node
    if not isinstance(parsed, Parsed):
        return {}
    known = dict.fromkeys(names, "")
    known = {name: name for name in known}
    bound = _bindings(parsed)
    for name, values in bound:
        if name in known:
            continue
        origins = {_origin(parsed, value, known) for value in values}
        if len(origins) == 1 and (origin := origins.pop()):
            known[name] = origin
    rebound = {name for name, values in bound if name in names and values}
    return {name: origin for name, origin in known.items() if origin not in rebound}


def writes(function: Function, aliases: dict[str, str]) -> Iterator[tuple[str, str, Location, bool]]:
    """Yield the writes in a body, ``x.add_(…)`` or ``x.mutable_data_ptr()``: argument, method, place, certainty.

    A write is uncertain if a pointer is passed to a function, which may only read.
    """
    for call in method_calls(function):
        if is_in_place(call.method) and shared(call.receiver) and (argument := aliases.get(call.receiver.variable)):
            yield argument, call.method, call.location, True
    for access in pointer_accesses(function):
        is_shared = shared(Chain(access.variable, access.methods))
        if access.writes and is_shared and (argument := aliases.get(access.variable)):
            yield argument, access.method, access.location, _is_written_through(function, access)


def _is_written_through(function: Function, access: PointerAccess) -> bool:
    """Whether an element is assigned through a pointer; one that is only passed on may be used for reading."""
    if function.body is None or not access.kept_as:
        return False
    name = re.escape(access.kept_as)
    return (
        re.search(rf"\b{name}\s*\[[^;]*?\]{_ASSIGNS}|[;{{}})]\s*\*\s*{name}\b{_ASSIGNS}", function.body.value)
        is not None
    )


def origin_of(parsed: Parsed, value: Node, aliases: dict[str, str]) -> str:
    """Return the argument that an expression is or shares memory with; empty if there is none."""
    return _origin(parsed, value, aliases)


def is_reached(returned: Returned) -> bool:
    """Whether a ``return`` isn't behind a statement that always throws, as in stubs that only satisfy the compiler."""
    statement = returned.node.parent if returned.node is not None else None
    before = statement.prev_named_sibling if statement is not None else None
    while before is not None and before.type == "comment":
        before = before.prev_named_sibling
    return before is None or _THROWS.match(returned.parsed.value(before)) is None


def is_otherwise(returned: Returned) -> bool:
    """Whether a ``return`` is in the ``default:`` of a ``switch``, which may be unreachable."""
    node = returned.node
    while node is not None and node.type not in {"case_statement", "function_definition", "lambda_expression"}:
        node = node.parent
    return node is not None and node.type == "case_statement" and node.child_by_field_name("value") is None


def _origin(parsed: Parsed, value: Node, known: dict[str, str]) -> str:
    if value.type == "conditional_expression":
        branches = map(value.child_by_field_name, ("consequence", "alternative"))
        return next((one for branch in branches if branch is not None and (one := _origin(parsed, branch, known))), "")
    found = chain(parsed, value)
    return known.get(found.variable, "") if shared(found) else ""


def _bindings(parsed: Parsed) -> list[tuple[str, list[Node]]]:
    """Return the variables with all values assigned to them, in the order of their declarations."""
    bound: dict[str, list[Node]] = {}
    nodes = (node for kind in ("init_declarator", "assignment_expression") for node in parsed.nodes.get(kind, ()))
    for node in sorted(nodes, key=lambda node: node.start_byte):
        target = node.child_by_field_name("declarator" if node.type == "init_declarator" else "left")
        value = node.child_by_field_name("value" if node.type == "init_declarator" else "right")
        while target is not None and target.type == "reference_declarator":
            target = target.named_children[0] if target.named_children else None
        if target is not None and value is not None and target.type == "identifier":
            bound.setdefault(parsed.value(target), []).append(value)
    return list(bound.items())
