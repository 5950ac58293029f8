"""Evaluates ``torch.library.Library`` objects: their constructor and registering methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from opgen.readers.python.lifetime import End, short_life
from opgen.readers.python.operators import decorating
from opgen.readers.python.registering import (
    Defined,
    define,
    device_keys,
    function_of,
    implement,
    is_fallthrough,
    qualified,
    unread,
)
from opgen.readers.python.scope import Frame, unknown
from opgen.readers.python.values import NONE, Call, LibraryValue, Native, String, Value
from opgen.readers.registrations import ShortLived
from opgen.source import Span


def make(call: Call, frame: Frame, *, is_scoped: bool = False) -> Value:
    """Evaluate ``Library(ns, kind, dispatch_key="")``, and record whether the object is short-lived."""
    arguments = call.bind("ns", "kind", "dispatch_key")
    namespace = arguments.get("ns", unknown("no namespace is given"))
    if frame.site is None:
        owner = frame.stack[-1].node if frame.stack else frame.module.tree
        end: tuple[str, End] | None = (
            ("", "scoped") if is_scoped else short_life(call.node, frame.module.uses_in(owner))
        )
        if end is not None:
            name, why = end
            shown = namespace.text.value if isinstance(namespace, String) else ""
            frame.recorder.add(frame, call.node, ShortLived(name, shown, call.location, why))
    return LibraryValue(namespace, arguments.get("dispatch_key", NONE))


def method(library: LibraryValue, name: str) -> Value | None:
    """Return a registering method of a library, ``None`` for other names."""
    found = _METHODS.get(name)
    return Native(lambda call, frame: found(library, call, frame)) if found else None


def _define(library: LibraryValue, call: Call, frame: Frame) -> Value:
    arguments = call.bind("schema", "alias_analysis")
    schema = arguments.get("schema", unknown("no schema is given"))
    if not isinstance(schema, String):
        unread(frame, call, "the schema", schema)
        return schema
    if not isinstance(library.namespace, String):
        unread(frame, call, "the namespace", library.namespace)
    else:
        define(
            frame,
            call,
            library.namespace.text,
            schema.text,
            Defined("define", tags=arguments.get("tags", NONE), inference=schema.inference),
        )
    name = schema.text.value.partition("(")[0]
    return String(schema.text.part(Span(0, len(name))))


def _implement(library: LibraryValue, call: Call, frame: Frame) -> Value:
    arguments = call.bind("op_name", "fn", "dispatch_key")
    op = arguments.get("op_name", unknown("no name is given"))
    function = arguments.get("fn", unknown("no function is given"))
    key = next((key for key in (arguments.get("dispatch_key", NONE), library.key) if not _is_empty(key)), NONE)
    keys = ("CompositeImplicitAutograd",) if key == NONE else device_keys(key)
    implement(
        frame,
        call,
        qualified(library.namespace, op, call),
        "kernel",
        None if is_fallthrough(function) else function_of(frame, call, function, "fn", 1),
        form="impl",
        keys=keys,
        fallthrough=is_fallthrough(function),
    )
    return NONE


def _register_fake(library: LibraryValue, call: Call, frame: Frame) -> Value:
    arguments = call.bind("op_name", "fn")
    op = qualified(library.namespace, arguments.get("op_name", unknown("no name is given")), call)
    function = arguments.get("fn", unknown("no function is given"))
    implement(frame, call, op, "fake", function_of(frame, call, function, "fn", 1), form="_register_fake")
    return function


def _register_torch_dispatch(library: LibraryValue, call: Call, frame: Frame) -> Value:
    arguments = call.bind("op_name", "torch_dispatch_class", "fn")
    op = qualified(library.namespace, arguments.get("op_name", unknown("no name is given")), call)
    function = arguments.get("fn", unknown("no function is given"))
    described = function_of(frame, call, function, "fn", 2)
    implement(frame, call, op, "torch_dispatch", described, form="_register_torch_dispatch_rule")
    return function


def decorate_definition(library: LibraryValue, call: Call) -> Value:
    """Evaluate the old decorator ``torch.library.define(lib, schema)``, which defines and implements an op."""

    def decorate(later: Call, frame: Frame) -> Value:
        made = decorating(call, "fn", later)
        function = made.keywords["fn"]
        name = _define(library, replace(made, positional=call.positional[1:]), frame)
        _implement(library, replace(made, positional=(), keywords={"op_name": name, "fn": function}), frame)
        return function

    return Native(decorate)


def decorate_implementation(library: LibraryValue, call: Call) -> Value:
    """Evaluate the old decorator ``torch.library.impl(lib, name, dispatch_key="")``."""
    arguments = call.bind("lib", "name", "dispatch_key")
    op, key = arguments.get("name", unknown("no name is given")), arguments.get("dispatch_key", NONE)

    def decorate(later: Call, frame: Frame) -> Value:
        made = decorating(call, "fn", later)
        function = made.keywords["fn"]
        _implement(
            library, replace(made, positional=(), keywords={"op_name": op, "fn": function, "dispatch_key": key}), frame
        )
        return function

    return Native(decorate)


def _is_empty(key: Value) -> bool:
    return key == NONE or (isinstance(key, String) and not key.text.value)


_METHODS: dict[str, Callable[[LibraryValue, Call, Frame], Value]] = {
    "define": _define,
    "impl": _implement,
    "_register_fake": _register_fake,
    "_register_torch_dispatch_rule": _register_torch_dispatch,
}
