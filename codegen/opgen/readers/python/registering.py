"""Makes definitions and implementations from the evaluated arguments of a call."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opgen.readers.python import texts
from opgen.readers.python.functions import function_record, written_at
from opgen.readers.python.scope import Frame, unknown
from opgen.readers.python.values import (
    NONE,
    Call,
    Dictionary,
    Inference,
    Items,
    OperatorValue,
    String,
    Symbol,
    Unknown,
    Value,
)
from opgen.readers.registrations import Definition, Function, Implementation, Role, Unread
from opgen.records import dataclass
from opgen.source import DerivedText, Location, Span, Text

_DEVICE_KEYS = {"default": "CompositeExplicitAutograd", "cpu": "CPU", "hip": "HIP", "cuda": "CUDA"}
_DEVICES = ("xpu", "mps", "xla", "hpu", "ipu", "mtia", "fpga", "maia", "ve")
_PREFIX = re.compile(r"torch\.ops\.(\w+)\.(\w+)(?:\.(\w+))?")


@dataclass(frozen=True, slots=True)
class Defined:
    """The facts about a definition beside name and schema; the fields are those of `Definition`.

    Attributes:
        form: the form of the statement, as ``custom_op``.
        function: the kernel that is given at the definition.
        tags: the tags.
        inference: how the schema was inferred from a function; ``None`` for an explicit schema.
        mutates: ``mutates_args`` as written; ``None`` without one.
    """

    form: str
    function: Value = NONE
    tags: Value = NONE
    inference: Inference | None = None
    mutates: tuple[Text, ...] | None = None


def unread(frame: Frame, call: Call, what: str, value: Value) -> None:
    """Record a registration whose ``what`` isn't known, unless it depends on the caller, whose calls are read."""
    if isinstance(value, Unknown) and value.from_caller:
        frame.runner.note_helper(frame)
        return
    reason = value.reason if isinstance(value, Unknown) else "it is no text"
    frame.recorder.add(frame, call.node, Unread(call.location, f"{what} can't be read: {reason}"))


def define(frame: Frame, call: Call, namespace: Text, schema: Text, about: Defined) -> None:
    """Record a definition; ``schema`` begins with the op's name."""
    inference = about.inference
    is_unknown = inference is not None and bool(inference.uninferable or inference.unread)
    function = inference.function if inference else None
    if function is None and about.function != NONE:
        function = function_of(frame, call, about.function, "fn")
    frame.recorder.add(
        frame,
        call.node,
        Definition(
            namespace=namespace.value,
            schema=schema,
            form=frame.helper or about.form,
            location=call.location,
            language="python",
            inferred=inference is not None,
            is_name_only=is_unknown,
            tags=tag_names(about.tags),
            function=function,
            conditions=frame.conditions,
            mutates=inference.mutates if inference else about.mutates,
            mutates_at=call.place("mutates_args"),
            uninferable=inference.uninferable if inference else (),
        ),
    )
    if inference is not None and inference.unread:
        frame.recorder.add(
            frame,
            call.node,
            Unread(
                call.location, f"the schema of {namespace.value}::{schema.value} can't be inferred: {inference.unread}"
            ),
        )


def implement(  # noqa: PLR0913 - what an implementation is made of
    frame: Frame,
    call: Call,
    op: Value,
    role: Role,
    function: Function | None,
    *,
    form: str,
    keys: tuple[str, ...] = (),
    fallthrough: bool = False,
) -> None:
    """Record an implementation of an op that a string, an overload or a ``CustomOpDef`` names."""
    name = operator_name(op)
    if not isinstance(name, String):
        unread(frame, call, "the name of the op", name)
        return
    # The name of a ``CustomOpDef`` is located at its definition, but findings should point to this call.
    text = DerivedText.at(name.text.value, call.location) if isinstance(op, OperatorValue) else name.text
    frame.recorder.add(
        frame,
        call.node,
        Implementation(
            op=text, role=role, location=call.location, language="python", function=function, keys=keys,
            form=frame.helper or form,
            fallthrough=fallthrough, conditions=frame.conditions,
        ),
    )  # fmt: skip


def function_of(frame: Frame, call: Call, value: Value, name: str, position: int = -1) -> Function:
    """Return the record of the function that is an argument of a call."""
    location = call.place(name, position)
    return function_record(value, location, written_at(frame, location))


def operator_name(op: Value) -> Value:
    """Return the name of an op as a string: ``torch.ops.ns.op.default`` is ``ns::op``."""
    if isinstance(op, OperatorValue):
        return op.name
    if isinstance(op, Symbol) and (found := _PREFIX.fullmatch(op.path)):
        namespace, name, overload = found.groups()
        suffix = f".{overload}" if overload and overload != "default" else ""
        return String(DerivedText.at(f"{namespace}::{name}{suffix}", op.location))
    if isinstance(op, String | Unknown):
        return op
    return unknown("it is neither a text nor an op")


def qualified(namespace: Value, name: Value, call: Call) -> Value:
    """Return a name with ``ns::`` in front, unless it has a namespace."""
    name = operator_name(name)
    if not isinstance(name, String) or "::" in name.text.value:
        return name
    if not isinstance(namespace, String):
        return namespace if isinstance(namespace, Unknown) else unknown("the namespace is no text")
    home = name.text.locate()
    return String(
        texts.join(
            [(namespace.text, None), (Text.of("::"), None), (name.text, None)],
            home if home.source is call.location.source else call.location,
        )
    )


def name_and_schema(name: Text, schema: String, call: Call) -> Text:
    """Join the name of an op and a schema without one."""
    home = schema.text.locate()
    if _covers(call.location, home) and schema.inference is None:
        home = call.location
    return texts.join([(name, None), (schema.text, None)], home)


def split_name(name: Text) -> tuple[Text, Text]:
    """Split ``ns::op``; the namespace is empty without ``::``."""
    before, separator, after = name.value.partition("::")
    start = len(before) + len(separator) if separator else 0
    return name.part(Span(0, len(before) if separator else 0)), name.part(
        Span(start, start + len(after if separator else name.value))
    )


def device_keys(value: Value) -> tuple[str, ...]:
    """Return the dispatch keys that ``device_types`` or ``types`` mean; unknown ones as they are written."""
    match value:
        case String(text):
            return (_device_key(text.value),)
        case Items(items):
            return tuple(key for item in items for key in device_keys(item))
        case Dictionary(keys):
            return tuple(_device_key(key.text.value) for key in keys)
        case Unknown(written=written):
            return (written,)
    return ("CompositeExplicitAutograd",)


def text_names(value: Value) -> tuple[Text, ...] | None:
    """Return the texts of a tuple, list, set or dictionary of strings, or the only string."""
    match value:
        case String(text):
            return (text,)
        case Items(items) if all(isinstance(item, String) for item in items):
            return tuple(item.text for item in items if isinstance(item, String))
        case Dictionary(keys):
            return tuple(key.text for key in keys)
    return None


def tag_names(value: Value) -> tuple[Text, ...]:
    """Return the names of the ``torch.Tag`` members of one tag or several."""
    items: Iterable[Value] = value.items if isinstance(value, Items) else (value,)
    return tuple(
        DerivedText.at(item.path.removeprefix("torch.Tag."), item.location)
        for item in items
        if isinstance(item, Symbol) and item.path.startswith("torch.Tag.")
    )


def is_fallthrough(value: Value) -> bool:
    """Whether an implementation is ``torch.library.fallthrough_kernel``."""
    return isinstance(value, Symbol) and value.path.endswith(".fallthrough_kernel")


def _device_key(name: str) -> str:
    if name in _DEVICE_KEYS:
        return _DEVICE_KEYS[name]
    if name in _DEVICES:
        return name.upper()
    return {"meta": "Meta", "privateuseone": "PrivateUse1"}.get(name, name)


def _covers(outer: Location, inner: Location) -> bool:
    return outer.source is inner.source and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end
