"""Binds the parameters of a function to the arguments of a call, or to unknown values that its callers decide."""

from __future__ import annotations

import ast

from opgen.readers.python.scope import Frame, Scope, unknown
from opgen.readers.python.values import Call, Dictionary, FunctionValue, InstanceValue, Items, String, Unknown
from opgen.source import DerivedText


def bind_unknown(function: FunctionValue, scope: Scope) -> None:
    """Bind all parameters to unknown values; the first one of a method to its class."""
    arguments = function.node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    for argument in named:
        scope.bind(argument.arg, Unknown(f"`{argument.arg}` is a parameter", from_caller=True, written=argument.arg))
    owner = function.scope.owner
    if owner is not None and named and named[0].arg in {"self", "cls"}:
        scope.bind(named[0].arg, InstanceValue(owner, owner.scope) if named[0].arg == "self" else owner)


def bind_call(function: FunctionValue, call: Call, scope: Scope, frame: Frame) -> None:
    """Bind the parameters to the arguments of a call, or to their defaults."""
    arguments = function.node.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    defaults: dict[str, ast.expr] = dict(
        zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True)
    )
    only = {
        argument.arg: default for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    }
    defaults |= {name: default for name, default in only.items() if default}
    positional = (function.bound, *call.positional) if function.bound else call.positional
    given = {**dict(zip(names, positional, strict=False)), **call.keywords}
    for name in (*names, *only):
        if name in given:
            scope.bind(name, given.pop(name))
        elif call.is_open:
            scope.bind(name, unknown(f"`{name}` may be given by * or **", written=name))
        elif name in defaults:
            scope.bind(name, frame.evaluate(defaults[name]))
        else:
            scope.bind(name, Unknown(f"`{name}` is not given", written=name))
    if arguments.vararg:
        scope.bind(arguments.vararg.arg, Items(positional[len(names) :]))
    if arguments.kwarg:
        keys = tuple(String(DerivedText.at(name, call.place(name))) for name in given)
        scope.bind(arguments.kwarg.arg, Dictionary(keys, tuple(given.values())))
