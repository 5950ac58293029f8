"""The parameters of an op as Python declares and passes them."""

from __future__ import annotations

from opgen.model.op import Argument, Op
from opgen.targets.names import python_name
from opgen.targets.python.layout import py_string
from opgen.targets.python.types import argument_type, default_text, result_type


def public_head(op: Op, function: str, *, typed: bool) -> str:
    """Return ``def NAME(x, eps=1e-06):`` on one line, with annotations where ``typed``."""
    parameters = ", ".join(_parameters(op, list(op.arguments), typed=typed))
    return f"def {function}({parameters}) -> {result_type(op)}:" if typed else f"def {function}({parameters}):"


def fake_head(op: Op, function: str, result: str) -> list[str]:
    """Return the head of a function that PyTorch calls, and statements that give parameters their names.

    PyTorch passes keyword-only arguments by name, also those that can't be parameters by it: ``from``, ``in``.
    """
    renamed = [argument for argument in op.arguments if argument.kwarg_only and _is_renamed(argument)]
    parameters = _parameters(op, [argument for argument in op.arguments if argument not in renamed], typed=True)
    if renamed:
        parameters.append("**keywords: Any")
    return [f"def {function}({', '.join(parameters)}) -> {result}:", *map(_take_keyword, renamed)]


def forward_call(op: Op, function: str) -> str:
    """Return a call that hands on every parameter."""
    parts = []
    for argument in op.arguments:
        name = python_name(argument.name)
        if not argument.kwarg_only:
            parts.append(name)
        else:
            parts.append(f"**{{{py_string(argument.name)}: {name}}}" if _is_renamed(argument) else f"{name}={name}")
    return f"{function}({', '.join(parts)})"


def _parameters(op: Op, arguments: list[Argument], *, typed: bool) -> list[str]:
    positional = [_parameter(argument, op, typed=typed) for argument in arguments if not argument.kwarg_only]
    keyword_only = [_parameter(argument, op, typed=typed) for argument in arguments if argument.kwarg_only]
    return [*positional, "*", *keyword_only] if keyword_only else positional


def _parameter(argument: Argument, op: Op, *, typed: bool) -> str:
    name = python_name(argument.name)
    text = f"{name}: {argument_type(argument, op)}" if typed else name
    if argument.default is None:
        return text
    separator = " = " if typed else "="
    return f"{text}{separator}{default_text(argument.default, argument.type)}"


def _take_keyword(argument: Argument) -> str:
    name, key = python_name(argument.name), py_string(argument.name)
    if argument.default is None:
        return f"{name} = keywords[{key}]"
    return f"{name} = keywords.get({key}, {default_text(argument.default, argument.type)})"


def _is_renamed(argument: Argument) -> bool:
    return python_name(argument.name) != argument.name
