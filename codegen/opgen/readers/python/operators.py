"""Evaluates ``register_fake``, ``register_autograd`` etc. of ``torch.library`` and as methods of ``CustomOpDef``."""

from __future__ import annotations

from dataclasses import replace

from opgen.readers.python.registering import device_keys, function_of, implement
from opgen.readers.python.scope import Frame
from opgen.readers.python.values import NONE, Call, Native, OperatorValue, Unknown, Value
from opgen.readers.registrations import Role
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """A registering function.

    Attributes:
        role: the role of the function that it registers.
        arguments: its parameters behind the op.
        function: the parameter that is filled if it is used as a decorator.
    """

    role: Role
    arguments: tuple[str, ...] = ("func",)
    function: str = "func"


FORMS = {
    "register_fake": Form("fake"),
    "impl_abstract": Form("fake"),
    "register_kernel": Form("kernel", ("device_types", "func")),
    "register_vmap": Form("vmap"),
    "register_torch_dispatch": Form("torch_dispatch", ("torch_dispatch_class", "func")),
    "register_autograd": Form("autograd", ("backward",), "backward"),
    "register_autocast": Form("autocast", ("device_type", "cast_inputs"), ""),
    "register_effect": Form("effect", ("effect",), ""),
}


def method(owner: OperatorValue, name: str) -> Value | None:
    """Return a registering method of a ``CustomOpDef``, ``None`` for other names."""
    return Native(lambda call, frame: register(name, owner, call, frame)) if name in FORMS else None


def register(name: str, op: Value, call: Call, frame: Frame) -> Value:
    """Record the registration by ``register_…``, at once or when its result is used as a decorator.

    ``call`` has the arguments behind the op.
    """
    form = FORMS[name]
    arguments = call.bind(*form.arguments)
    if not form.function:
        device = {"device_type"} & arguments.keys()
        implement(
            frame, call, op, form.role, None, form=name, keys=device_keys(arguments["device_type"]) if device else ()
        )
        return NONE
    function = arguments.get(form.function, NONE)
    if function == NONE:
        return Native(lambda later, now: register(name, op, decorating(call, form.function, later), now))
    keys = device_keys(arguments.get("device_types", NONE)) if form.role == "kernel" else ()
    described = function_of(frame, call, function, form.function, form.arguments.index(form.function))
    implement(frame, call, op, form.role, described, form=name, keys=keys)
    setup = arguments.get("setup_context", NONE)
    if name == "register_autograd" and setup != NONE:
        described = function_of(frame, call, setup, "setup_context")
        implement(frame, call, op, "setup_context", described, form=name)
    return function


def decorating(call: Call, name: str, later: Call) -> Call:
    """Return the call of a decorator factory, with the decorated function as the argument that was left out."""
    function = later.positional[0] if later.positional else Unknown("no function is given")
    return replace(
        call,
        location=later.location,
        keywords={**call.keywords, name: function},
        places={**call.places, name: later.location},
    )
