"""Reads the function argument of ``m.def`` and ``m.impl``: a name, a lambda, or a wrapper around one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tree_sitter import Node

from opgen.readers.cpp.functions import of_lambda, parameters
from opgen.readers.cpp.syntax import Parsed, descendants, last_name, regular
from opgen.readers.registrations import Function
from opgen.records import dataclass

Find = Callable[[str, "tuple[str, ...] | None"], "Function | None"]
"""Finds a function by its name as written and, if a cast gives them, the types of its parameters."""

_TRANSPARENT = {
    "TORCH_BOX", "TORCH_FN", "TORCH_FN_TYPE", "CppFunction", "makeFromUnboxedFunction", "makeFromUnboxedLambda", "move",
}  # fmt: skip
_FUNCTION_ARGUMENT = (
    "identifier",
    "qualified_identifier",
    "template_function",
    "pointer_expression",
    "lambda_expression",
)


@dataclass(frozen=True)
class Kernel:
    """A registered function.

    Attributes:
        function: the function; ``None`` for a fallthrough.
        key: the dispatch key of ``torch::dispatch(key, f)``, or ``None``.
        boxed: whether it is a boxed kernel.
        fallthrough: whether it is a fallthrough kernel.
    """

    function: Function | None = None
    key: str | None = None
    boxed: bool = False
    fallthrough: bool = False


def kernel(parsed: Parsed, node: Node, find: Find) -> Kernel:
    """Read a function argument.

    A boxed function (``makeFromBoxedFunction``), and one inside of a project's own wrapper, have a name but no
    parameters, since the parameters in their definition don't correspond to the schema.
    """
    inner = _inside(node)
    if inner is not None:
        return kernel(parsed, inner, find)
    if node.type == "lambda_expression":
        return Kernel(of_lambda(parsed, node))
    if node.type == "call_expression":
        return _call(parsed, node, find)
    return Kernel(_named(parsed, node, find, None))


def _inside(node: Node) -> Node | None:
    """Look through ``&f``, ``(f)``, ``+[] {}`` and ``(Signature)f``."""
    if node.type in ("pointer_expression", "unary_expression"):
        return node.child_by_field_name("argument")
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return node.named_children[0]
    return node.child_by_field_name("value") if node.type == "cast_expression" else None


def _call(parsed: Parsed, node: Node, find: Find) -> Kernel:
    callee, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    arguments = [] if listed is None else listed.named_children
    name = "" if callee is None else last_name(parsed.value(callee))
    if callee is None or name == "makeFallthrough":
        return Kernel(fallthrough=callee is not None)
    if name == "makeFromBoxedFunction":
        written = parsed.value(callee).partition("<")[2].rpartition(">")[0].strip().removeprefix("&").strip()
        return Kernel(_opaque(find(written, None), written, parsed, node), boxed=True)
    if name == "dispatch" and len(arguments) > 1:
        return replace(kernel(parsed, arguments[1], find), key=parsed.value(arguments[0]))
    if name == "static_cast" and arguments:
        return Kernel(_named(parsed, _inside(arguments[0]) or arguments[0], find, _types_of_cast(parsed, callee)))
    if name in _TRANSPARENT and arguments:
        return replace(kernel(parsed, arguments[0], find), boxed=name == "TORCH_BOX")
    return _wrapped(parsed, node, arguments, find)


def _wrapped(parsed: Parsed, node: Node, arguments: list[Node], find: Find) -> Kernel:
    """Return the function inside of a project's own wrapper, ``shim(&f)``; a call without one is the kernel itself."""
    functions = [one for one in arguments if one.type in _FUNCTION_ARGUMENT]
    if len(functions) == 1:
        found = kernel(parsed, functions[0], find)
        return replace(found, function=found.function and _opaque(found.function, found.function.name, parsed, node))
    callee = node.child_by_field_name("function") or node
    return Kernel(Function(regular(parsed.value(callee)), parsed.location(node)))


def _opaque(found: Function | None, name: str, parsed: Parsed, node: Node) -> Function:
    return Function(name, parsed.location(node) if found is None else found.location)


def _named(parsed: Parsed, node: Node, find: Find, types: tuple[str, ...] | None) -> Function:
    name = regular(parsed.value(node))
    found = find(name, types)
    if found is None:
        return Function(name, parsed.location(node))
    if any("StableIValue" in parameter.type for parameter in found.parameters or ()):  # boxed by hand
        return _opaque(found, name, parsed, node)
    return found


def _types_of_cast(parsed: Parsed, callee: Node) -> tuple[str, ...] | None:
    declarator = next(descendants(callee, "abstract_function_declarator"), None)
    return None if declarator is None else tuple(one.type for one in parameters(parsed, declarator))
