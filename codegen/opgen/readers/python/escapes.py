"""Finds the parameters that a function passes to other code, which may write them though the text does not show it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opgen.readers.python.places import FunctionNode
from opgen.readers.registrations import Function

_MEMORY = frozenset({"data_ptr", "numpy", "untyped_storage", "storage", "__dlpack__", "__array__"})
"""Methods that give access to the memory of a tensor."""
_HARMLESS = frozenset(
    {"bool", "enumerate", "float", "int", "isinstance", "len", "list", "print", "range", "str", "tuple", "zip"}
)
_READING = frozenset(
    {
        "add", "add_", "bmm", "copy_", "div", "div_", "eq", "expand", "flatten", "gather", "ge", "gt", "index_add_",
        "index_copy_", "index_select", "le", "lt", "matmul", "maximum", "mean", "minimum", "mm", "mul", "mul_", "ne",
        "new_empty", "new_full", "new_zeros", "permute", "pow", "reshape", "size", "stride", "sub", "sub_", "sum", "to",
        "transpose", "view", "where",
    }
)  # fmt: skip
"""Tensor methods that only read their arguments."""


def escaped(function: Function) -> frozenset[str] | None:
    """Return the names that other code may write, and the names they come from; ``None`` for an unknown function."""
    node = function.node
    if not isinstance(node, FunctionNode):
        return None
    given: set[str] = set()
    for part in ast.walk(node):
        given |= set(_written(part))
        if isinstance(part, ast.Call) and _is_foreign(part):
            given |= set(_names(part))
        elif isinstance(part, ast.Attribute) and part.attr in _MEMORY:
            given |= set(_names(part.value))
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and part is not node:
            given |= set(_names(part))
    made_of = list(_bindings(node))
    count = -1
    while count != len(given):
        count = len(given)
        for target, sources in made_of:
            if target in given:
                given |= sources
    return frozenset(given)


def _written(part: ast.AST) -> Iterator[str]:
    """Yield the names in the target of a write, which may be a view of something else: `x.reshape(-1).zero_()`."""
    match part:
        case ast.Subscript(value=value, ctx=ast.Store()) | ast.AugAssign(target=value):
            yield from _names(value)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name.endswith("_"):
            yield from _names(value)
        case ast.keyword(arg="out", value=value):
            yield from _names(value)


def _is_foreign(call: ast.Call) -> bool:
    """Whether a call is, by its name, neither of a torch function nor of a tensor method."""
    match call.func:
        case ast.Name(id=name):
            return name not in _HARMLESS
        case ast.Attribute(attr=name):
            path = ast.unparse(call.func).split(".")
            if path[0] in {"torch", "F"}:
                return name.startswith("_") or "ops" in path[:-1]
            # `module.run(x)` and the method call `y.add(x)` only differ in their names.
            return name not in _READING and bool(call.args or call.keywords)
    return True


def _bindings(function: ast.AST) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each assigned name with the names in its value."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                pairs = [(target, value) for target in targets]
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                pairs = [(target, value)]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                pairs = [(target, value)]
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            for name in _names(target):
                yield name, frozenset(_names(value))


def _names(node: ast.AST) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
