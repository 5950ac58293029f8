"""The parameters of an op in Python: in function heads, and as arguments of calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opgen.model.op import Argument, Op
from opgen.targets.names import parameter_name, python_name
from opgen.targets.python.functions import Function
from opgen.targets.python.layout import py_string
from opgen.targets.python.types import argument_type, passed_default, passed_type, public_default, result_type


def public_head(function: Function, *, typed: bool) -> str:
    """Return ``def NAME(x, eps=1e-06, *, out=None):`` on one line, with annotations where ``typed``."""
    op = function.op
    declared = _parameters(op.arguments, lambda argument: _public_parameter(argument, op, typed=typed))
    if function.out is not None:
        declared += [*([] if "*" in declared else ["*"]), _out_parameter(function, typed=typed)]
    parameters = ", ".join(declared)
    head = f"def {function.name}({parameters})"
    return f"{head} -> {result_type(op)}:" if typed else f"{head}:"


def _out_parameter(function: Function, *, typed: bool) -> str:
    return f"{function.out_name}: {result_type(function.op)} | None = None" if typed else f"{function.out_name}=None"


def fake_head(op: Op, function: str, result: str, *first: str) -> list[str]:
    """Return the head of a function that the dispatcher calls, and statements that rename its parameters.

    ``first`` are parameters in front of those of the op. PyTorch passes keyword-only arguments by name, so one called
    ``from`` or ``in``, which can't be a parameter, is taken from ``**kwargs`` by such a statement.
    """
    renamed = [a for a in op.arguments if a.kwarg_only and python_name(a.name) != a.name]
    parameters = _parameters([a for a in op.arguments if a not in renamed], lambda a: _passed_parameter(a, op))
    if renamed:
        parameters.append("**keywords: Any")
    return [f"def {function}({', '.join([*first, *parameters])}) -> {result}:", *map(_take_keyword, renamed)]


def forward_call(op: Op, function: str, rename: Callable[[str], str] = parameter_name, *first: str) -> str:
    """Return a call with the ``first`` arguments and then every parameter, by the variable that ``rename`` tells."""
    parts = [*first]
    for argument in op.arguments:
        name = rename(argument.name)
        if not argument.kwarg_only:
            parts.append(name)
        else:
            parts.append(f"{name}={name}" if name == argument.name else f"**{{{py_string(argument.name)}: {name}}}")
    return f"{function}({', '.join(parts)})"


def _parameters(arguments: Sequence[Argument], declare: Callable[[Argument], str]) -> list[str]:
    positional = [declare(argument) for argument in arguments if not argument.kwarg_only]
    keyword_only = [declare(argument) for argument in arguments if argument.kwarg_only]
    return [*positional, "*", *keyword_only] if keyword_only else positional


def _public_parameter(argument: Argument, op: Op, *, typed: bool) -> str:
    name = parameter_name(argument.name)
    if typed:
        name += f": {argument_type(argument, op)}"
    if argument.default is None:
        return name
    return f"{name}{' = ' if typed else '='}{public_default(argument.default, argument.type)}"


def _passed_parameter(argument: Argument, op: Op) -> str:
    name = f"{python_name(argument.name)}: {passed_type(argument, op)}"
    return name if argument.default is None else f"{name} = {passed_default(argument.default, argument.type)}"


def _take_keyword(argument: Argument) -> str:
    name, key = python_name(argument.name), py_string(argument.name)
    if argument.default is None:
        return f"{name} = keywords[{key}]"
    return f"{name} = keywords.get({key}, {passed_default(argument.default, argument.type)})"
