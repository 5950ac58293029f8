"""OPG528: a C++ kernel returns an argument as if it were a fresh tensor."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.model.op import Op
from opgen.readers.cpp.returns import Returned, returned
from opgen.rules.registrations.cpp.bodies import aliases_in, is_reached, origin_of
from opgen.rules.registrations.cpp.kernels import CppKernel, cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.schema.aliases import aliased_arguments
from opgen.schema.types import is_tensor

CODE = Code(
    id="OPG528",
    name="cpp-returned-argument",
    severity=Severity.ERROR,
    summary="A C++ kernel returns an argument, or a view of it, where the schema promises a fresh tensor.",
    why=(
        "The compiler may reuse the memory of the argument while the result is still read, which caused a wrong loss "
        "(deepspeedai/DeepSpeed#7596); PyTorch itself only warns, or raises in the first call "
        "(`check_aliasing_constraint` in `torch/_library/utils.py`)."
    ),
    bad=cpp(
        "at::Tensor wait(const at::Tensor& pending) { return pending; }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("wait(Tensor pending) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("wait", &wait); }\n'
    ),
    good=cpp(
        "at::Tensor wait(const at::Tensor& pending) { return pending.clone(); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("wait(Tensor pending) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("wait", &wait); }\n'
    ),
    remedy="return a copy (`.clone()`), or return nothing and let the caller use the argument",
)
_ABOVE = ("Autograd", "ADInplaceOrView", "Autocast", "Composite", "Functionalize", "Python")
"""Keys whose kernels call the op again, and return the result of that call."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the value of each ``return`` in a backend's kernel."""
    for kernel in cpp_kernels(joined):
        if kernel.parameters is None or any(key.startswith(_ABOVE) for key in kernel.keys):
            continue
        tensors = frozenset(
            parameter.name
            for parameter, argument in zip(kernel.parameters, kernel.op.schema.arguments, strict=False)
            if is_tensor(argument.type) and parameter.name
        )
        aliases = aliases_in(kernel.function, tensors)
        for each in returned(kernel.function):
            yield from _judged(kernel, kernel.op, each, aliases)


def _judged(kernel: CppKernel, op: Op, each: Returned, aliases: dict[str, str]) -> Iterator[Diagnostic]:
    if len(each.values) != len(op.schema.returns) or not is_reached(each):
        return
    for value, result in zip(each.values, op.schema.returns, strict=True):
        origin = origin_of(each.parsed, value, aliases)
        place = kernel.argument_of(origin)
        if place is None or place >= len(op.schema.arguments) or not is_tensor(result.type):
            continue
        name = op.schema.arguments[place].name
        if name not in {argument.name for argument in aliased_arguments(op.schema, result)}:
            what = (
                f"argument '{name}'"
                if each.parsed.value(value) == origin
                else f"`{each.parsed.value(value)}`, memory of '{name}'"
            )
            message = f"the kernel returns {what}, where the schema promises a fresh tensor"
            note = Note("the schema is here", op.location)
            yield found_at(CODE, kernel.name, message, each.location, notes=(note,))
            return


RULE = RegistrationRule(CODE, check)
