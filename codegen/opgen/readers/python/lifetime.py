"""Decides whether a ``Library`` object is short-lived, by the names that refer to it.

PyTorch removes definitions and implementations when the object is finalised (``torch.library._del_library``). In doubt
it counts as long-lived: if it is passed on, returned, stored or used by an inner function.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Literal, TypeAlias

End: TypeAlias = Literal["local", "unbound", "rebound", "deleted", "scoped"]

_METHODS = frozenset(
    {"define", "impl", "fallback", "_register_fake", "_register_torch_dispatch_rule", "_impl_with_aoti_compile", "ns"}
)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def short_life(call: ast.expr, owner: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> tuple[str, End] | None:
    """Return the name of a short-lived object that a call creates, and how its life ends; ``None`` if it is long-lived.

    ``owner`` is the function or module with the call, ``parents`` maps each node to its parent.
    """
    parent = parents.get(call)
    if isinstance(parent, ast.Expr) or (isinstance(parent, ast.Attribute) and parent.attr in _METHODS):
        return "", "unbound"
    match parent:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            pass
        case _:
            return None
    if not isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
        return _module_life(name, parent, owner, parents)
    if any(isinstance(node, ast.Global | ast.Nonlocal) and name in node.names for node in ast.walk(owner)):
        return None
    uses = [
        node
        for node in ast.walk(owner)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    return None if any(_keeps(use, owner, parents) for use in uses) else (name, "local")


def _module_life(
    name: str, statement: ast.stmt, owner: ast.AST, parents: Mapping[ast.AST, ast.AST]
) -> tuple[str, End] | None:
    """Find the statement after the assignment, in the same block of a module, that rebinds or deletes the name."""
    if parents.get(statement) is not owner or not isinstance(owner, ast.Module):
        return None
    behind = owner.body[owner.body.index(statement) + 1 :]
    for later in behind:
        uses = [node for node in ast.walk(later) if isinstance(node, ast.Name) and node.id == name]
        match later:
            case ast.Delete(targets=[ast.Name(id=deleted)]) if deleted == name:
                return name, "deleted"
            case ast.Assign(targets=[ast.Name(id=bound)]) if bound == name and len(uses) == 1:
                return name, "rebound"
        if any(isinstance(use.ctx, ast.Load) and _keeps(use, owner, parents) for use in uses):
            return None
    return None


def _keeps(use: ast.Name, owner: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a use of the name may keep the object alive: anything but a method call, or an argument ``lib=``."""
    child: ast.AST = use
    scope = parents.get(use)
    while scope is not None and scope is not owner:
        # A decorator is evaluated outside of the scope of the function that it decorates.
        if isinstance(scope, _SCOPES) and child not in getattr(scope, "decorator_list", ()):
            return True
        child, scope = scope, parents.get(scope)
    parent = parents.get(use)
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _METHODS
    if isinstance(parent, ast.keyword):
        return parent.arg != "lib"
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute | ast.Name):
        name = parent.func.attr if isinstance(parent.func, ast.Attribute) else parent.func.id
        return not (name in {"define", "impl"} and parent.args[:1] == [use])
    return not isinstance(parent, ast.Compare | ast.If | ast.Assert)
