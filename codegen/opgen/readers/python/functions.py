"""Makes the `Function` record of a function that a registration names."""

from __future__ import annotations

import ast
from typing import Literal

from opgen.readers.python.scope import Frame
from opgen.readers.python.values import FunctionValue, Symbol, Unknown, Value
from opgen.readers.registrations import Function, Parameter
from opgen.source import Location


def function_record(value: Value, location: Location, written: str) -> Function:
    """Return the record of a function; for one that isn't among the sources only its name."""
    if isinstance(value, FunctionValue):
        return described(value)
    name = value.path if isinstance(value, Symbol) else value.written if isinstance(value, Unknown) else written
    return Function(name or written, location)


def described(value: FunctionValue) -> Function:
    """Return the record of a function in the sources, with signature, body and node."""
    node, places = value.node, value.module.places
    result = "" if isinstance(node, ast.Lambda) or node.returns is None else places.written(node.returns)
    return Function(value.name, value.location, _parameters(value), result, places.body(node), node)


def written_at(frame: Frame, location: Location) -> str:
    """Return the text at a location with normalised whitespace."""
    start, end = location.span
    return " ".join(location.source.text[start:end].split()) if location.source is frame.module.source else ""


def _parameters(value: FunctionValue) -> tuple[Parameter, ...]:
    places, arguments = value.module.places, value.node.args
    result: list[Parameter] = []

    def add(
        argument: ast.arg,
        kind: Literal["positional", "keyword_only", "variadic", "keywords"],
        default: ast.expr | None = None,
    ) -> None:
        annotation = places.written(argument.annotation) if argument.annotation else ""
        result.append(
            Parameter(
                argument.arg, annotation, places.location(argument), places.written(default) if default else None, kind
            )
        )

    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    for index, argument in enumerate(positional):
        add(argument, "positional", arguments.defaults[index - required] if index >= required else None)
    if arguments.vararg:
        add(arguments.vararg, "variadic")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        add(argument, "keyword_only", default)
    if arguments.kwarg:
        add(arguments.kwarg, "keywords")
    return tuple(result)
