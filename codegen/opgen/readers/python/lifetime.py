"""Decides whether a ``Library`` object is short-lived, by the names that refer to it.

PyTorch removes definitions and implementations when the object is finalised (``torch.library._del_library``). In doubt
it counts as long-lived: if it is passed on, returned, stored or used by an inner function.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Literal, TypeAlias

End: TypeAlias = Literal["local", "unbound", "rebound", "deleted", "scoped"]

_METHODS = frozenset(
    {"define", "impl", "fallback", "_register_fake", "_register_torch_dispatch_rule", "_impl_with_aoti_compile", "ns"}
)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Uses:
    """The names in a function or module: looked for once, though each of a thousand objects in it has one."""

    def __init__(self, owner: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> None:
        self.owner = owner
        self.parents = parents
        self.outer: set[str] = set()
        self._parts = [*ast.iter_child_nodes(owner)]
        self._place = {part: place for place, part in enumerate(self._parts)}
        self._by_name: dict[str, list[tuple[int, ast.Name]]] = {}
        self._kept: dict[str, bool] = {}
        for place, part in enumerate(self._parts):
            for node in ast.walk(part):
                if isinstance(node, ast.Name):
                    self._by_name.setdefault(node.id, []).append((place, node))
                elif isinstance(node, ast.Global | ast.Nonlocal):
                    self.outer.update(node.names)

    def keep(self, name: str) -> bool:
        """Whether a use of a name, anywhere, may keep the object that it holds."""
        if name not in self._kept:
            uses = (use for _, use in self._by_name.get(name, ()))
            self._kept[name] = any(self.keeps(use) for use in uses)
        return self._kept[name]

    def keeps(self, use: ast.Name) -> bool:
        """Whether a use of a name may keep the object that it holds."""
        return isinstance(use.ctx, ast.Load) and _keeps(use, self.owner, self.parents)

    def behind(self, statement: ast.stmt, name: str) -> Iterator[tuple[ast.AST, list[ast.Name]]]:
        """Yield the statements behind one of the owner's own that use a name, and how; none behind one further inside."""
        place = self._place.get(statement)
        if place is None:
            return
        uses = self._by_name.get(name, [])
        start = bisect_right(uses, place, key=itemgetter(0))
        later = (uses[number] for number in range(start, len(uses)))
        for found, group in groupby(later, itemgetter(0)):
            yield self._parts[found], [use for _, use in group]


def short_life(call: ast.expr, uses: Uses) -> tuple[str, End] | None:
    """Say which name holds the object that a call makes in a function or module, and how it dies there; ``None`` if it lives."""
    parent = uses.parents.get(call)
    if isinstance(parent, ast.Expr) or (isinstance(parent, ast.Attribute) and parent.attr in _METHODS):
        return "", "unbound"
    match parent:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            pass
        case _:
            return None
    if isinstance(uses.owner, ast.Module):
        return _module_life(name, parent, uses)
    is_function = isinstance(uses.owner, ast.FunctionDef | ast.AsyncFunctionDef)
    return (name, "local") if is_function and name not in uses.outer and not uses.keep(name) else None


def _module_life(name: str, statement: ast.stmt, uses: Uses) -> tuple[str, End] | None:
    """Find the statement after the assignment, in the same block of a module, that rebinds or deletes the name."""
    for later, found in uses.behind(statement, name):
        match later:
            case ast.Delete(targets=[ast.Name(id=deleted)]) if deleted == name:
                return name, "deleted"
            case ast.Assign(targets=[ast.Name(id=bound)]) if bound == name and len(found) == 1:
                return name, "rebound"
        if any(map(uses.keeps, found)):
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
