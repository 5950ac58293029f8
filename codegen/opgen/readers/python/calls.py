"""Calls: what is called, with which arguments, and what that registers."""

from __future__ import annotations

import ast
from dataclasses import replace

from opgen.readers.python import known_helpers, torch_api
from opgen.readers.python.attributes import attribute
from opgen.readers.python.scope import Frame, unknown
from opgen.readers.python.values import (
    Call,
    ClassValue,
    Dictionary,
    FunctionValue,
    Items,
    Native,
    OperatorValue,
    String,
    Symbol,
    Unknown,
    Value,
)
from opgen.source import DerivedText, Location

_CHANGES = frozenset({"append", "extend", "insert", "update", "add", "remove", "pop", "clear", "setdefault", "discard"})


def call(node: ast.Call, frame: Frame) -> Value:
    """Evaluate a call."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in {*_CHANGES, "items", "keys", "values"}:
        result = _container_method(node, node.func, frame)
        if result is not None:
            return result
    function = frame.evaluate(node.func)
    return apply(function, _arguments(node, frame), frame)


def apply(function: Value, made: Call, frame: Frame) -> Value:
    """Call a value."""
    written = frame.module.places.written(made.node)
    match function:
        case Native():
            return function.call(made, frame)
        case FunctionValue():
            return frame.runner.call(function, made, frame)
        case ClassValue():
            return function
        case OperatorValue():
            return unknown("it is the result of an op", written=written)
        case Symbol(path):
            result = torch_api.call(path, made, frame)
            result = result or known_helpers.call(path, made, frame)
            return (
                result
                or _builtin(path, made, frame)
                or unknown(f"it is the result of `{path}`", *made.positional, *made.keywords.values(), written=written)
            )
    return unknown("it is the result of a call", function, *made.positional, *made.keywords.values(), written=written)


def _arguments(node: ast.Call, frame: Frame) -> Call:
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    places: dict[str | int, Location] = {}
    is_open = False
    for argument in node.args:
        value = frame.evaluate(argument.value if isinstance(argument, ast.Starred) else argument)
        if not isinstance(argument, ast.Starred):
            places[len(positional)] = frame.module.places.location(argument)
            positional.append(value)
        elif isinstance(value, Items):
            positional += value.items
        else:
            is_open = True
    for keyword in node.keywords:
        value = frame.evaluate(keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            places[keyword.arg] = frame.module.places.location(keyword.value)
        elif isinstance(value, Dictionary):
            keywords |= {key.text.value: item for key, item in zip(value.keys, value.values, strict=True)}
        else:
            is_open = True
    return Call(node, frame.location(node), tuple(positional), keywords, places, is_open)


def _container_method(node: ast.Call, method: ast.Attribute, frame: Frame) -> Value | None:
    """Follow ``pairs.items()``; forget what a list holds when it is changed."""
    owner = frame.evaluate(method.value)
    if not isinstance(owner, Items | Dictionary):
        return None
    if isinstance(owner, Dictionary) and method.attr in {"items", "keys", "values"}:
        columns = {
            "keys": owner.keys,
            "values": owner.values,
            "items": tuple(Items(pair) for pair in zip(owner.keys, owner.values, strict=True)),
        }
        return Items(columns[method.attr])
    if method.attr in _CHANGES and isinstance(method.value, ast.Name):
        frame.scope.bind(method.value.id, Unknown(f"`{method.value.id}` is changed by `{method.attr}`"))
    _arguments(node, frame)
    return Unknown("it is the result of a method of a container")


def _builtin(path: str, made: Call, frame: Frame) -> Value | None:
    match path, made.positional:
        case "builtins.getattr", (owner, String(text), *_):
            return attribute(owner, text.value, made.node, frame)
        case "builtins.str", (String() as value,):
            return value
        case "builtins.list" | "builtins.tuple" | "builtins.set" | "builtins.frozenset", ():
            return Items(())
        case "builtins.list" | "builtins.tuple" | "builtins.set" | "builtins.frozenset", (Items() as value,):
            return value
        case "builtins.dict", () if not made.is_open:
            keys = tuple(String(DerivedText.at(name, made.place(name))) for name in made.keywords)
            return Dictionary(keys, tuple(made.keywords.values()))
        case "functools.partial", (function, *bound):
            return Native(lambda later, now: apply(function, _with(later, tuple(bound), made), now))
        case "functools.lru_cache" | "functools.cache", (FunctionValue() as function,):
            return function
    return None


def _with(later: Call, bound: tuple[Value, ...], first: Call) -> Call:
    """Return the call that ``functools.partial`` makes of the arguments given first and later."""
    moved = {key + len(bound) if isinstance(key, int) else key: place for key, place in later.places.items()}
    return replace(
        later,
        positional=(*bound, *later.positional),
        keywords={**first.keywords, **later.keywords},
        places={**{key: place for key, place in first.places.items() if isinstance(key, str)}, **moved},
        is_open=first.is_open or later.is_open,
    )
