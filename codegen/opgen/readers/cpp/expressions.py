"""Reads expressions over tensors as chains of method calls on a variable."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from opgen.readers.cpp.syntax import Parsed
from opgen.readers.registrations import Function
from opgen.records import dataclass
from opgen.source import Location

_IDENTITIES = ("std::move", "std::ref", "std::forward")
_VALUES = ("value", "get")


@dataclass(frozen=True)
class Chain:
    """``x.narrow(0, 0, n).clone()``: the variable (empty if it begins with none), and the methods in order."""

    variable: str
    methods: tuple[str, ...] = ()


@dataclass(frozen=True)
class MethodCall:
    """A call of a method, ``dst.copy_(src)``; ``receiver`` ends before the method that is called."""

    receiver: Chain
    method: str
    location: Location
    parsed: Parsed
    node: Node

    @property
    def arguments(self) -> tuple[Node, ...]:
        """The arguments of the call."""
        listed = self.node.child_by_field_name("arguments")
        return () if listed is None else tuple(listed.named_children)


def method_calls(function: Function) -> Iterator[MethodCall]:
    """Yield the calls of methods in a function whose body was found, outer calls of a chain before inner ones."""
    parsed = function.node
    if not isinstance(parsed, Parsed):
        return
    for node in parsed.nodes.get("call_expression", ()):
        callee = node.child_by_field_name("function")
        if callee is None or callee.type != "field_expression":
            continue
        name, receiver = _member(parsed, callee)
        if receiver is not None:
            yield MethodCall(chain(parsed, receiver), name, parsed.location(node), parsed, node)


def variable(parsed: Parsed, node: Node) -> str:
    """Return the variable of ``x``, ``*x``, ``(x)``, ``x.value()`` or ``std::move(x)``; empty for other expressions."""
    found = chain(parsed, node)
    return found.variable if not found.methods else ""


def chain(parsed: Parsed, node: Node) -> Chain:
    """Return the chain of an expression, in which ``*x``, ``x.value()`` and ``x->`` count as ``x``."""
    methods: list[str] = []
    inner: Node | None = node
    while inner is not None and inner.type != "identifier":
        if inner.type == "parenthesized_expression":
            inner = inner.named_children[0] if len(inner.named_children) == 1 else None
        elif inner.type == "pointer_expression":
            inner = inner.child_by_field_name("argument")
        else:
            inner = _receiver(parsed, inner, methods) if inner.type == "call_expression" else None
    return Chain("" if inner is None else parsed.value(inner), tuple(reversed(methods)))


def _receiver(parsed: Parsed, call: Node, methods: list[str]) -> Node | None:
    """Return the object of a method call, or the argument of ``std::move``, and append the method to ``methods``."""
    callee, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    arguments = [] if listed is None else listed.named_children
    if callee is not None and callee.type == "field_expression":
        name, receiver = _member(parsed, callee)
        if name not in _VALUES or arguments:
            methods.append(name)
        return receiver
    is_identity = callee is not None and parsed.value(callee).partition("<")[0] in _IDENTITIES
    return arguments[0] if is_identity and len(arguments) == 1 else None


def _member(parsed: Parsed, access: Node) -> tuple[str, Node | None]:
    """Split ``x.data_ptr<float>`` into the method's bare name and the object."""
    field = access.child_by_field_name("field")
    name = "" if field is None else parsed.value(field).removeprefix("template").partition("<")[0].strip()
    return name, access.child_by_field_name("argument")
