"""Whose memory an expression is, and whose an assignment to it writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar, TypeAlias

from tree_sitter import Node

from opgen.readers.cpp.stores.kinds import Kind, is_pointer_to_pointers, kind_of
from opgen.readers.cpp.stores.variables import DEEPEST, Memory, Scopes, Variable
from opgen.readers.cpp.syntax import Parsed, regular
from opgen.readers.cpp.tensor_methods import VIEWS, is_in_place

NULL = Memory(frozenset())
_NOTHING: frozenset[Variable] = frozenset()
_DATA = re.compile(r"(?:mutable_)?data_ptr|data")
_ACCESSOR = re.compile(r"accessor|(?:generic_)?packed_accessor(?:32|64)?")
_SAME = frozenset({"value", "get"})
_ELEMENTS = frozenset({"at", "front", "back"})
_IDENTITIES = frozenset({"std::move", "std::ref", "std::forward"})
_CONST_ARGUMENT = re.compile(r"<\s*const\b|\bconst\s*[*,>]")
_THROUGH = frozenset({Kind.POINTER, Kind.ACCESSOR, Kind.VALUE})
"""What an element of is memory."""


Returned: TypeAlias = Callable[[str, int], "int | None"]
"""Says which argument's memory a function returns a pointer to, told by its name and how many arguments it gets."""


class Expressions:
    """The expressions of a body, read with the names that are in sight at the time."""

    def __init__(self, parsed: Parsed, scopes: Scopes, returned: Returned) -> None:
        self._parsed = parsed
        self._scopes = scopes
        self._returned = returned

    def memory(self, node: Node, depth: int = 0) -> Memory | None:
        """Say whose memory a pointer, a tensor or an accessor is; ``None`` where it isn't known, or no variable's."""
        read = self._READERS.get(node.type)
        return None if read is None or depth > DEEPEST else read(self, node, depth + 1)

    def stored(self, node: Node, depth: int = 0) -> frozenset[Variable]:  # noqa: PLR0911 - one for each kind of lvalue
        """Return the variables in whose memory an lvalue stands: ``p[i]``, ``*p``, ``p->x``, a reference to one of them."""
        if depth > DEEPEST:
            return _NOTHING
        match node.type:
            case "identifier":
                variable = self._scopes.get(self._parsed.value(node))
                return frozenset({variable}) if variable is not None and variable.kind is Kind.REFERENCE else _NOTHING
            case "parenthesized_expression":
                return self.stored(node.named_children[0], depth + 1) if node.named_children else _NOTHING
            case "subscript_expression":
                return self._element(node, depth + 1)
            case "pointer_expression" if _operator(node) == "*":
                return self._target(node.child_by_field_name("argument"), depth + 1)
            case "field_expression":
                inner = node.child_by_field_name("argument")
                if _operator(node) == "->":
                    return self._target(inner, depth + 1)
                return _NOTHING if inner is None else self.stored(inner, depth + 1)
            case "call_expression":  # reinterpret_cast<T&>(p[i])
                name, arguments = self._call(node)
                is_cast = name.partition("<")[0].endswith("_cast") and "&" in name
                return self.stored(arguments[0], depth + 1) if is_cast and len(arguments) == 1 else _NOTHING
            case _:
                return _NOTHING

    def _target(self, pointer: Node | None, depth: int) -> frozenset[Variable]:
        found = None if pointer is None else self.memory(pointer, depth)
        return found.of if found is not None and found.kind in (Kind.POINTER, Kind.VALUE) else _NOTHING

    def _element(self, node: Node, depth: int) -> frozenset[Variable]:
        base = node.child_by_field_name("argument")
        if base is None:
            return _NOTHING
        found = self.memory(base, depth)
        if found is not None:
            is_tensor = found.kind is Kind.TENSOR  # x[0] = y copies
            return found.of if found.kind in _THROUGH or is_tensor else _NOTHING
        if base.type == "subscript_expression":  # p[i][j], where p points to arrays
            inner = base.child_by_field_name("argument")
            whole = None if inner is None else self.memory(inner, depth)
            return _NOTHING if whole is not None and whole.to_pointers else self.stored(base, depth)
        if base.type == "field_expression" and _operator(base) == ".":  # p[i].data[j]
            return self.stored(base, depth)
        return self.stored(base, depth) if base.type in ("parenthesized_expression", "call_expression") else _NOTHING

    def _identifier(self, node: Node, _: int) -> Memory | None:
        name = self._parsed.value(node)
        if name == "NULL":
            return NULL
        variable = self._scopes.get(name)
        if variable is None or variable.kind in (Kind.READ_ONLY, Kind.REFERENCE):
            return None
        return Memory(frozenset({variable}), variable.kind, variable.to_pointers)

    def _null(self, node: Node, _: int) -> Memory | None:
        return NULL if node.type == "null" or self._parsed.value(node) == "0" else None

    def _only_child(self, node: Node, depth: int) -> Memory | None:
        return self.memory(node.named_children[0], depth) if len(node.named_children) == 1 else None

    def _cast(self, node: Node, depth: int) -> Memory | None:
        type_, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        return None if type_ is None or value is None else self._as(self._parsed.value(type_), value, depth)

    def _as(self, type_: str, value: Node, depth: int) -> Memory | None:
        """Read a value that is cast to a type."""
        type_ = regular(type_)
        if kind_of(type_) is Kind.READ_ONLY:
            return None
        found = self.memory(value, depth)
        return None if found is None else replace(found, to_pointers=is_pointer_to_pointers(type_))

    def _either(self, node: Node, depth: int) -> Memory | None:
        branches = map(node.child_by_field_name, ("consequence", "alternative"))
        found = [one for branch in branches if branch is not None and (one := self.memory(branch, depth)) is not None]
        owned = [one for one in found if one.of]
        if not owned:
            return found[0] if found else None
        return replace(owned[0], of=frozenset().union(*(one.of for one in owned)))

    def _sum(self, node: Node, depth: int) -> Memory | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if _operator(node) not in ("+", "-") or left is None or right is None:
            return None
        found = self.memory(left, depth) or (self.memory(right, depth) if _operator(node) == "+" else None)
        is_pointer = found is not None and found.of and found.kind in (Kind.POINTER, Kind.VALUE)
        return found if is_pointer else None

    def _reached(self, node: Node, depth: int) -> Memory | None:
        inner = node.child_by_field_name("argument")
        if inner is None:
            return None
        if _operator(node) == "&":
            owners = self.stored(inner, depth)
            return Memory(owners) if owners else None
        found = self.memory(inner, depth)  # of an optional tensor
        return found if found is not None and found.kind is Kind.TENSOR else None

    def _subscript(self, node: Node, depth: int) -> Memory | None:
        base = node.child_by_field_name("argument")
        found = None if base is None else self.memory(base, depth)
        if found is None or found.kind not in (Kind.TENSOR, Kind.LIST, Kind.ACCESSOR):
            return None
        return replace(found, kind=Kind.TENSOR) if found.kind is Kind.LIST else found

    def _argument(self, node: Node, depth: int) -> Memory | None:
        inner = node.child_by_field_name("argument")
        return None if inner is None else self.memory(inner, depth)

    def _assigned(self, node: Node, depth: int) -> Memory | None:
        value = node.child_by_field_name("right")
        return None if value is None else self.memory(value, depth)

    def _result(self, node: Node, depth: int) -> Memory | None:
        callee = node.child_by_field_name("function")
        name, arguments = self._call(node)
        if callee is not None and callee.type == "field_expression":
            return self._of_method(callee, name, arguments, depth)
        bare = name.partition("<")[0].strip()
        if len(arguments) == 1 and bare.endswith("_cast"):
            return self._as(name.partition("<")[2].rpartition(">")[0], arguments[0], depth)
        if len(arguments) == 1 and bare in _IDENTITIES:
            return self.memory(arguments[0], depth)
        place = self._returned(name, len(arguments)) if name and arguments else None
        found = self.memory(arguments[place], depth) if place is not None and place < len(arguments) else None
        return None if found is None else replace(found, kind=Kind.POINTER)

    def _of_method(self, callee: Node, name: str, arguments: list[Node], depth: int) -> Memory | None:
        receiver = callee.child_by_field_name("argument")
        found = None if receiver is None else self.memory(receiver, depth)
        if found is None or not found.of:
            return None
        method = name.removeprefix("template").partition("<")[0].strip()
        is_tensor = found.kind in (Kind.TENSOR, Kind.VALUE)
        if method in _SAME and not arguments and found.kind is not Kind.ACCESSOR:
            return found
        if found.kind is Kind.LIST:
            return replace(found, kind=Kind.TENSOR) if method in _ELEMENTS else None
        if method == "data" and found.kind is Kind.TENSOR and "<" not in name:
            return found
        if _DATA.fullmatch(method) or (_ACCESSOR.fullmatch(method) and is_tensor):
            kind = Kind.POINTER if _DATA.fullmatch(method) else Kind.ACCESSOR
            return None if _CONST_ARGUMENT.search(name) else replace(found, kind=kind)
        return found if is_tensor and (method in VIEWS or is_in_place(method)) else None

    def _call(self, node: Node) -> tuple[str, list[Node]]:
        """Return what is called as it is written, of a method the name alone, and what it is given."""
        callee, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is not None and callee.type == "field_expression":
            callee = callee.child_by_field_name("field")
        return ("" if callee is None else self._parsed.value(callee)), ([] if listed is None else listed.named_children)

    _READERS: ClassVar[Mapping[str, Callable[[Expressions, Node, int], Memory | None]]] = {
        "identifier": _identifier,
        "null": _null,
        "number_literal": _null,
        "parenthesized_expression": _only_child,
        "initializer_list": _only_child,
        "argument_list": _only_child,
        "cast_expression": _cast,
        "conditional_expression": _either,
        "binary_expression": _sum,
        "pointer_expression": _reached,
        "subscript_expression": _subscript,
        "update_expression": _argument,
        "assignment_expression": _assigned,
        "call_expression": _result,
    }


def _operator(node: Node) -> str:
    found = node.child_by_field_name("operator")
    return "" if found is None else found.type
