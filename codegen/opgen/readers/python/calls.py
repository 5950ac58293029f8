"""Evaluates calls: the function, the arguments, and what the call registers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from opgen.readers.python import known_helpers, strings, torch_api
from opgen.readers.python.attributes import attribute, attribute_of
from opgen.readers.python.scope import Frame, Scope, unknown
from opgen.readers.python.values import (
    Call,
    ClassValue,
    Constant,
    Dictionary,
    FunctionValue,
    InstanceValue,
    Items,
    Native,
    OperatorValue,
    String,
    Symbol,
    Unknown,
    Value,
)
from opgen.source import DerivedText, Location

_LONGEST_RANGE = 200
_CHANGES = frozenset({"append", "extend", "insert", "update", "add", "remove", "pop", "clear", "setdefault", "discard"})


def call(node: ast.Call, frame: Frame) -> Value:
    """Evaluate a call."""
    if not isinstance(node.func, ast.Attribute):
        return apply(frame.evaluate(node.func), _arguments(node, frame), frame)
    owner = frame.evaluate(node.func.value)  # evaluated once: in ``a.b().c().d()`` it is a call itself
    if isinstance(owner, Items | Dictionary) and node.func.attr in {*_CHANGES, "items", "keys", "values"}:
        return _container_method(owner, node, node.func, frame)
    if isinstance(owner, String):
        made = _arguments(node, frame)
        return strings.method(owner, node.func.attr, made, frame) or unknown(
            "it is the result of a method of a text", *made.positional
        )
    return apply(attribute_of(owner, node.func, frame), _arguments(node, frame), frame)


def apply(function: Value, made: Call, frame: Frame) -> Value:  # noqa: PLR0911 - a table of kinds
    """Call a value."""
    match function:
        case Native():
            return function.call(made, frame)
        case FunctionValue():
            return frame.runner.call(function, made, frame)
        case ClassValue():
            instance = InstanceValue(function, Scope())
            initialise = attribute(instance, "__init__", made.node, frame)
            if isinstance(initialise, FunctionValue):
                frame.runner.call(initialise, made, frame)
            return instance
        case InstanceValue():
            method = attribute(function, "__call__", made.node, frame)
            return (
                apply(method, made, frame)
                if method
                else unknown("its class is not known", written=_written(made, frame))
            )
        case OperatorValue():
            return unknown("it is the result of an op", written=_written(made, frame))
        case Symbol(path):
            result = torch_api.call(path, made, frame)
            result = result or known_helpers.call(path, made, frame)
            return (
                result
                or _builtin(path, made, frame)
                or unknown(
                    f"it is the result of `{path}`",
                    *made.positional,
                    *made.keywords.values(),
                    written=_written(made, frame),
                )
            )
    return unknown(
        "it is the result of a call", function, *made.positional, *made.keywords.values(), written=_written(made, frame)
    )


def _written(made: Call, frame: Frame) -> str:
    return frame.module.places.written(made.node)


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


def _container_method(owner: Items | Dictionary, node: ast.Call, method: ast.Attribute, frame: Frame) -> Value:
    """Evaluate a method of a container, as ``pairs.items()``; a list that is changed becomes unknown."""
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


def _builtin(path: str, made: Call, frame: Frame) -> Value | None:  # noqa: C901, PLR0911 - a table of functions
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
        case "builtins.range", bounds if bounds and all(isinstance(bound, Constant) for bound in bounds):
            return _range(bounds)
        case "builtins.zip", columns if columns and all(isinstance(column, Items) for column in columns):
            return Items(tuple(map(Items, _rows(columns))))
        case "builtins.map", (function, *columns):
            is_known = all(isinstance(column, Items) for column in columns)
            rows = _rows(columns) if is_known else [tuple(unknown("it comes from `map`", column) for column in columns)]
            results = tuple(apply(function, replace(made, positional=row, places={}), frame) for row in rows)
            return Items(results) if is_known else unknown("it is the result of `map`", *columns)
        case "builtins.enumerate", (Items(items),):
            return Items(tuple(Items((Constant(index), item)) for index, item in enumerate(items)))
        case "functools.partial", (function, *bound):
            return Native(lambda later, now: apply(function, _with(later, tuple(bound), made), now))
        case "functools.wraps", (FunctionValue() as wrapped, *_):
            # `functools.wraps`: the wrapper has the signature of the wrapped function, which is used for it.
            return Native(lambda _, __: wrapped)
        case "functools.lru_cache" | "functools.cache", (FunctionValue() as function,):
            return function
    return None


def _rows(columns: Iterable[Value]) -> Iterator[tuple[Value, ...]]:
    return zip(*(column.items for column in columns if isinstance(column, Items)), strict=False)


def _with(later: Call, bound: tuple[Value, ...], first: Call) -> Call:
    """Return the call of a ``functools.partial`` object, with the arguments bound first and those passed later."""
    moved = {key + len(bound) if isinstance(key, int) else key: place for key, place in later.places.items()}
    return replace(
        later,
        positional=(*bound, *later.positional),
        keywords={**first.keywords, **later.keywords},
        places={**{key: place for key, place in first.places.items() if isinstance(key, str)}, **moved},
        is_open=first.is_open or later.is_open,
    )


def _range(bounds: tuple[Value, ...]) -> Value:
    numbers = [bound.value for bound in bounds if isinstance(bound, Constant) and isinstance(bound.value, int)]
    if len(numbers) != len(bounds) or not 1 <= len(numbers) <= 3 or numbers[2:] == [0]:  # noqa: PLR2004 - start, stop, step
        return Unknown("its range is not known")
    found = range(*numbers)[: _LONGEST_RANGE + 1]
    return Items(tuple(map(Constant, found))) if len(found) <= _LONGEST_RANGE else Unknown("its range is long")
