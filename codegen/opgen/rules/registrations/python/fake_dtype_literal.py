"""OPG576: a fake kernel with a fixed dtype, for a kernel whose result has the dtype of an input."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from opgen.readers.python.bodies import body_of
from opgen.readers.python.places import Places
from opgen.readers.registrations import Function
from opgen.rules.registrations.joined import Joined, JoinedOp
from opgen.rules.registrations.python.allocations import allocation, follows_input
from opgen.rules.registrations.python.functions import workers
from opgen.rules.registrations.rule import RegistrationRule, found_at, python

CODE = Code(
    id="OPG576",
    name="fake-dtype-literal",
    severity=Severity.WARNING,
    summary="A fake uses a fixed dtype, but the kernel allocates with the dtype of an input.",
    why=(
        "For every other dtype the traced graph is wrong: a cast is missing or superfluous "
        "(vllm-project/vllm-gguf-plugin#82)."
    ),
    bad=python(
        """import torch

LIBRARY = torch.library.Library("mylib", "DEF")
LIBRARY.define("gate(Tensor x) -> Tensor")


def gate(x):
    result = torch.empty_like(x)
    result.copy_(x * 2)
    return result


LIBRARY.impl("gate", gate, "CPU")


@torch.library.register_fake("mylib::gate")
def _(x):
    return x.new_empty(x.shape, dtype=torch.float16)
"""
    ),
    good=python(
        """import torch

LIBRARY = torch.library.Library("mylib", "DEF")
LIBRARY.define("gate(Tensor x) -> Tensor")


def gate(x):
    result = torch.empty_like(x)
    result.copy_(x * 2)
    return result


LIBRARY.impl("gate", gate, "CPU")


@torch.library.register_fake("mylib::gate")
def _(x):
    return x.new_empty(x.shape)
"""
    ),
    remedy="take the dtype of the input, `x.new_empty(…)` or `dtype=x.dtype`",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare the allocations that fake kernels and kernels return."""
    for worker in workers(joined):
        kernels = _kernels(joined.ops[worker.op.qualified_name])
        if worker.role != "fake" or not kernels:
            continue
        places = Places(worker.function.location.source)
        for returned in body_of(worker.function).returns:
            for index, value in enumerate(returned.values):
                call = allocation(worker.function, value)
                dtype = _literal(call)
                if call is not None and dtype and all(follows_input(kernel, index) for kernel in kernels):
                    message = f"the fake always returns {dtype}, the kernel follows the dtype of an input"
                    fix = _fix(call, places)
                    yield found_at(CODE, worker.op.qualified_name, message, places.location(call), fix=fix)


def _fix(call: ast.Call, places: Places) -> Fix | None:
    """Return a fix that drops the dtype if the allocation has a source: `x.new_empty(…)`, `torch.empty_like(x)`."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method.startswith("new_"):
            origin = name
        case ast.Call(func=ast.Attribute(attr=method), args=[ast.Name(id=name), *_]) if method.endswith("_like"):
            origin = name
        case _:
            return None
    value = next(keyword.value for keyword in call.keywords if keyword.arg == "dtype")
    return Fix(f"take the dtype of '{origin}'", (Edit(places.location(value), f"{origin}.dtype"),), "unsafe")


def _kernels(joined_op: JoinedOp) -> list[Function]:
    """Return the kernels of backends; none if the body of one was not read."""
    given = [one.statement.function for one in joined_op.definitions if one.statement.function is not None]
    implemented = [
        one.function
        for one in joined_op.implementations
        if one.role == "kernel" and "Meta" not in one.keys and not any(key.startswith("Autograd") for key in one.keys)
    ]
    functions = [*given, *implemented]
    read = [one for one in functions if one is not None and one.body is not None]
    return read if len(read) == len(functions) else []


def _literal(call: ast.Call | None) -> str:
    """Return the dtype literal of an allocation, `torch.float16`; empty without one."""
    for keyword in call.keywords if call is not None else ():
        match keyword:
            case ast.keyword(arg="dtype", value=ast.Attribute(value=ast.Name(id="torch"), attr=name)):
                return f"torch.{name}"
    return ""


RULE = RegistrationRule(CODE, check)
