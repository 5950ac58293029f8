"""Finds the arguments that kernels of an op may write, by the C++ types of their parameters."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.readers.registrations import Parameter
from opgen.rules.registrations.cpp.kernels import cpp_kernels_of
from opgen.rules.registrations.cpp.types import is_writable_tensor
from opgen.rules.registrations.joined import JoinedOp


def writable(op: JoinedOp) -> Mapping[str, Parameter]:
    """Return argument -> parameter of the first kernel, for tensors that all C++ kernels of an op take as ``Tensor&``.

    Empty if an op with several tensors takes all of them so, which is then a habit and tells nothing.
    """
    found: dict[str, Parameter] | None = None
    for kernel in cpp_kernels_of(op):
        parameters, arguments = kernel.parameters or (), kernel.op.schema.arguments
        if len(parameters) != len(arguments):
            return {}
        taken = {
            argument.name: parameter
            for argument, parameter in zip(arguments, parameters, strict=True)
            if is_writable_tensor(parameter.type)
        }
        if len(taken) == len(kernel.op.tensor_arguments) > 1:
            return {}
        found = taken if found is None else {name: one for name, one in found.items() if name in taken}
    return found or {}
