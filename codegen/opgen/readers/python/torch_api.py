"""Evaluates the registering functions of ``torch.library`` and of the modules that they were in before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from opgen.readers.python import library, operators
from opgen.readers.python.infer import infer
from opgen.readers.python.registering import (
    Defined,
    define,
    device_keys,
    function_of,
    implement,
    name_and_schema,
    operator_name,
    split_name,
    text_names,
    unread,
)
from opgen.readers.python.scope import Frame, unknown
from opgen.readers.python.values import NONE, Call, LibraryValue, Native, OperatorValue, String, Value
from opgen.readers.registrations import Load

_HOMES = (
    "torch.library",
    "torch._library",
    "torch._library.custom_ops",
    "torch._library.infer_schema",
    "torch._library.triton",
    "torch._custom_op.impl",
    "torch._custom_ops",
)

_SIDE_EFFECTS = ("torch.fx.has_side_effect", "torch.fx.node.has_side_effect")
"""Functions that keep calls of an op without results in a graph."""


def call(path: str, made: Call, frame: Frame) -> Value | None:
    """Evaluate a call of a torch function; ``None`` if it registers nothing."""
    home, _, name = path.rpartition(".")
    if path == "torch.ops.load_library":
        frame.recorder.add(frame, made.node, Load(made.location, frame.conditions))
        return NONE
    if path in _SIDE_EFFECTS:
        function = made.bind("fn").get("fn", unknown("no op is given"))
        if isinstance(operator_name(function), String):  # functions other than ops may have effects as well
            implement(frame, made, function, "effect", None, form="has_side_effect")
        return function
    if home not in _HOMES:
        return None
    if name in operators.FORMS:
        op = made.bind("op").get("op") or made.keywords.get("qualname") or unknown("no op is given")
        return operators.register(name, op, _without_first(made), frame)
    handler = API.get(name)
    return handler(made, frame) if handler else None


def _custom_op(form: str) -> Callable[[Call, Frame], Value]:
    def custom_op(made: Call, frame: Frame) -> Value:
        arguments = made.bind("name", "fn")
        name, function = arguments.get("name", unknown("no name is given")), arguments.get("fn", NONE)
        if function == NONE:
            return Native(lambda later, now: custom_op(operators.decorating(made, "fn", later), now))
        if not isinstance(name, String):
            unread(frame, made, "the name of the op", name)
            return OperatorValue(name)
        namespace, short = split_name(name.text)
        tags, mutates = arguments.get("tags", NONE), arguments.get("mutates_args", NONE)
        schema = arguments.get("schema", NONE)
        if schema == NONE:
            schema = infer(function, mutates, tags, made, frame)
        if not isinstance(schema, String):
            unread(frame, made, f"the schema of {name.text.value}", schema)
            return OperatorValue(name)
        about = Defined(form, function, tags, schema.inference, text_names(mutates))
        define(frame, made, namespace, name_and_schema(short, schema, made), about)
        devices = arguments.get("device_types", NONE)
        if devices != NONE:
            described = function_of(frame, made, function, "fn", 1)
            implement(frame, made, name, "kernel", described, form=form, keys=device_keys(devices))
        return OperatorValue(name)

    return custom_op


def _define(made: Call, frame: Frame) -> Value:
    arguments = made.bind("qualname", "schema")
    name = arguments.get("qualname", unknown("no name is given"))
    schema = arguments.get("schema", unknown("no schema is given"))
    if isinstance(name, LibraryValue):
        return library.decorate_definition(name, made)
    for what, value in (("the name of the op", name), ("the schema", schema)):
        if not isinstance(value, String):
            unread(frame, made, what, value)
    if not isinstance(name, String) or not isinstance(schema, String):
        return NONE
    namespace, short = split_name(name.text)
    about = Defined("define", tags=arguments.get("tags", NONE), inference=schema.inference)
    define(frame, made, namespace, name_and_schema(short, schema, made), about)
    return NONE


def _impl(made: Call, frame: Frame) -> Value:
    arguments = made.bind("qualname", "types", "func")
    name = arguments.get("qualname", unknown("no name is given"))
    if isinstance(name, LibraryValue):
        return library.decorate_implementation(name, made)
    function = arguments.get("func", NONE)
    if function == NONE:
        return Native(lambda later, now: _impl(operators.decorating(made, "func", later), now))
    described = function_of(frame, made, function, "func", 2)
    implement(frame, made, name, "kernel", described, form="impl", keys=device_keys(arguments.get("types", NONE)))
    return NONE


def _infer_schema(made: Call, frame: Frame) -> Value:
    arguments = made.bind("prototype_function", "mutates_args")
    function = arguments.get("prototype_function", unknown("no function is given"))
    schema = infer(function, arguments.get("mutates_args", NONE), arguments.get("tags", NONE), made, frame)
    name = arguments.get("op_name", NONE)
    if isinstance(schema, String) and isinstance(name, String):
        return replace(schema, text=name_and_schema(name.text, schema, made))
    return (
        schema if name == NONE or not isinstance(schema, String) else unknown("the name of the op is not known", name)
    )


def _library(made: Call, frame: Frame) -> Value:
    return library.make(made, frame)


def _scoped(made: Call, frame: Frame) -> Value:
    return library.make(made, frame, is_scoped=True)


def _without_first(made: Call) -> Call:
    """Return the call without its first argument, the op."""
    moved = {key - 1 if isinstance(key, int) else key: place for key, place in made.places.items() if key != 0}
    rest = {name: value for name, value in made.keywords.items() if name not in {"op", "qualname"}}
    return replace(made, positional=made.positional[1:], keywords=rest, places=moved)


API: dict[str, Callable[[Call, Frame], Value]] = {
    "custom_op": _custom_op("custom_op"),
    "triton_op": _custom_op("triton_op"),
    "define": _define,
    "impl": _impl,
    "infer_schema": _infer_schema,
    "Library": _library,
    "_scoped_library": _scoped,
}


def public_names() -> list[str]:
    """Return the registering functions that ``from torch.library import *`` imports."""
    return [
        *(name for name in API if not name.startswith("_")),
        *(name for name in operators.FORMS if name != "register_effect"),
    ]
