"""Finds raw accesses to the memory of tensors, and whether they can write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from opgen.readers.cpp.expressions import method_calls
from opgen.readers.cpp.syntax import Parsed
from opgen.readers.registrations import Function
from opgen.records import dataclass
from opgen.source import Location

_POINTER = re.compile(
    r"(?:mutable_|const_)?data_ptr|unsafeGetTensorImpl|accessor|(?:generic_)?packed_accessor(?:32|64)?"
)
_CONST = re.compile(r"\bconst\b")


@dataclass(frozen=True)
class PointerAccess:
    """``dst.mutable_data_ptr<float>()``.

    Attributes:
        variable: the tensor, if it is a variable; else empty.
        methods: the methods called in between, ``("value", "contiguous")``.
        method: the method that returns the pointer or accessor.
        writes: ``True`` for ``mutable_data_ptr``, ``False`` for ``const_data_ptr`` and pointers that are kept as
            pointers to const, ``None`` for a ``data_ptr`` or accessor whose use the text does not show.
        location: the place of the call.
        kept_as: the variable that is initialised with it, perhaps through a cast; else empty.
    """

    variable: str
    methods: tuple[str, ...]
    method: str
    writes: bool | None
    location: Location
    kept_as: str = ""


def pointer_accesses(function: Function) -> Iterator[PointerAccess]:
    """Yield the pointers to the memory of tensors that a function takes."""
    for call in method_calls(function):
        if _POINTER.fullmatch(call.method):
            writes = True if call.method.startswith("mutable") else None
            if call.method.startswith("const") or (writes is None and _is_kept_const(call.parsed, call.node)):
                writes = False
            yield PointerAccess(
                call.receiver.variable,
                call.receiver.methods,
                call.method,
                writes,
                call.location,
                kept_as=_kept_as(call.parsed, call.node),
            )


def _kept_as(parsed: Parsed, call: Node) -> str:
    outer = call.parent
    while outer is not None and outer.type in ("argument_list", "call_expression", "parenthesized_expression"):
        cast = outer.child_by_field_name("function")
        if cast is not None and not parsed.value(cast).partition("<")[0].endswith("_cast"):
            return ""
        outer = outer.parent
    if outer is None or outer.type != "init_declarator":
        return ""
    name = outer.child_by_field_name("declarator")
    return "" if name is None else parsed.value(name).lstrip("*& ").removeprefix("__restrict__").strip()


def _is_kept_const(parsed: Parsed, call: Node) -> bool:
    """Whether a pointer is kept as one to const: ``data_ptr<const T>()``, ``const T* p = …``, or by a cast."""
    callee = call.child_by_field_name("function")
    if callee is not None and _CONST.search(parsed.value(callee)):
        return True
    outer = call.parent
    while outer is not None and outer.type in (
        "argument_list",
        "call_expression",
        "init_declarator",
        "parenthesized_expression",
    ):
        cast = outer.child_by_field_name("function")
        if cast is not None and parsed.value(cast).partition("<")[0].endswith("_cast"):
            return _CONST.search(parsed.value(cast)) is not None
        if cast is not None:
            return False
        outer = outer.parent
    if outer is None or outer.type != "declaration":
        return False
    declarator = outer.child_by_field_name("declarator")
    return (
        declarator is not None
        and _CONST.search(parsed.text.value[outer.start_byte : declarator.start_byte]) is not None
    )
