"""Resolves imports to other sources; imports from elsewhere stay dotted names."""

from __future__ import annotations

import ast

from opgen.readers.python import torch_api
from opgen.readers.python.modules import Module
from opgen.readers.python.scope import Frame
from opgen.readers.python.values import Imported, ModuleValue, Symbol, Value
from opgen.source import Location, Span


def import_modules(statement: ast.Import, frame: Frame) -> None:
    """Bind the names of ``import a.b`` and ``import a.b as c``."""
    for alias in statement.names:
        name = alias.name if alias.asname else alias.name.partition(".")[0]
        module = frame.runner.project.absolute(tuple(name.split(".")), frame.module)
        frame.scope.bind(alias.asname or name, _module(module, name, statement, frame))


def import_names(statement: ast.ImportFrom, frame: Frame) -> None:
    """Bind the names of ``from a import b``."""
    name = tuple(statement.module.split(".")) if statement.module else ()
    if statement.level:
        module, name = frame.runner.project.relative(name, statement.level, frame.module)
    else:
        module = frame.runner.project.absolute(name, frame.module)
    for alias in statement.names:
        full = (*name, alias.name)
        if alias.name == "*":
            _import_all(module, ".".join(name), statement, frame)
            continue
        inner = _inner(full, statement.level, frame)
        value = Imported(module, alias.name, ".".join(full)) if module and not inner else None
        frame.scope.bind(alias.asname or alias.name, value or _module(inner, ".".join(full), statement, frame))


def resolved(value: Value, location: Location, frame: Frame) -> Value:
    """Return the value of an imported name; a name that its module doesn't bind stays a dotted name."""
    seen: set[tuple[int, str]] = set()
    while isinstance(value, Imported) and (id(value.module), value.name) not in seen:
        seen.add((id(value.module), value.name))
        frame.runner.load(value.module)
        value = value.module.scope.names.get(value.name) or Symbol(value.full, location)
    return Symbol(value.full, location) if isinstance(value, Imported) else value


def _inner(full: tuple[str, ...], level: int, frame: Frame) -> Module | None:
    """Find the module of ``from package import module``."""
    project = frame.runner.project
    if level:
        return project.at(full)
    return project.absolute(full, frame.module)


def _import_all(module: Module | None, name: str, statement: ast.stmt, frame: Frame) -> None:
    if module is not None:
        frame.runner.load(module)
        for public, value in module.scope.names.items():
            if not public.startswith("_"):
                frame.scope.bind(public, value)
    elif name == "torch.library":
        for public in torch_api.public_names():
            frame.scope.bind(public, _symbol(f"{name}.{public}", statement, frame))


def _module(module: Module | None, name: str, statement: ast.stmt, frame: Frame) -> Value:
    return ModuleValue(module, name) if module else _symbol(name, statement, frame)


def _symbol(name: str, statement: ast.stmt, frame: Frame) -> Symbol:
    start, end = frame.module.places.span(statement)
    return Symbol(name, Location(frame.module.source, Span(start, end)))
