"""Evaluates ``owner.name`` for owners that matter to registrations."""

from __future__ import annotations

import ast
from dataclasses import replace

from opgen.readers.python import imports, library, operators
from opgen.readers.python.scope import Frame, opaque
from opgen.readers.python.values import (
    Call,
    ClassValue,
    FunctionValue,
    InstanceValue,
    LibraryValue,
    ModuleValue,
    OperatorValue,
    String,
    Symbol,
    Unknown,
    Value,
)
from opgen.source import DerivedText


def attribute(owner: Value, name: str, node: ast.expr, frame: Frame) -> Value | None:  # noqa: PLR0911 - a table of kinds
    """Return an attribute; ``None`` if it isn't known."""
    match owner:
        case Symbol(path):
            full = f"{path}.{name}"
            module = frame.runner.project.absolute(tuple(full.split(".")), frame.module)
            return ModuleValue(module, full) if module else Symbol(full, frame.module.places.location(node))
        case ModuleValue(module):
            frame.runner.load(module)
            if name in module.scope.names:
                return imports.resolved(module.scope.names[name], frame.module.places.location(node), frame)
            inner = frame.runner.project.relative((name,), 1, module)[0] if module.package == module.path else None
            return ModuleValue(inner, name) if inner else None
        case ClassValue():
            return _member(owner, name)
        case InstanceValue():
            return _of_instance(owner, name, node, frame)
        case FunctionValue() if name == "__name__":
            return String(DerivedText.at(owner.name, owner.location))
        case LibraryValue():
            return owner.namespace if name == "ns" else library.method(owner, name)
        case OperatorValue():
            return (
                owner if name == "_opoverload" else owner.name if name == "_qualname" else operators.method(owner, name)
            )
    return None


def attribute_of(owner: Value, node: ast.Attribute, frame: Frame) -> Value:
    """Return the value of ``owner.name`` for an evaluated owner; unknown if it isn't known."""
    found = attribute(owner, node.attr, node, frame)
    if found is None and isinstance(owner, InstanceValue) and owner.scope is owner.type.scope:
        # ``self`` of a method that is read without a call: its attributes depend on the caller.
        return Unknown(f"`{node.attr}` is an attribute of an object", from_caller=True, written=node.attr)
    return found or opaque(node, frame, owner)


def _member(owner: ClassValue, name: str) -> Value | None:
    """Find a name in a class and its bases, each of which is searched once, even with multiple inheritance."""
    waiting, asked = [owner], set[ClassValue]()
    while waiting:
        asked.add(one := waiting.pop())
        if name in one.scope.names:
            return one.scope.names[name]
        waiting += [base for base in reversed(one.bases) if isinstance(base, ClassValue) and base not in asked]
    return None


def _of_instance(owner: InstanceValue, name: str, node: ast.expr, frame: Frame) -> Value | None:
    if name in owner.scope.names:
        return owner.scope.names[name]
    found = _member(owner.type, name)
    if not isinstance(found, FunctionValue) or isinstance(found.node, ast.Lambda):
        return found
    decorators = {found.module.places.written(decorator) for decorator in found.node.decorator_list}
    method = replace(found, bound=owner)
    if decorators & {"property", "functools.cached_property", "cached_property"}:
        return frame.runner.call(method, Call(node, frame.location(node)), frame)
    return found if "staticmethod" in decorators else method
