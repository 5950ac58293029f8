"""What the kernels of an op may write, told by how they take it."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.readers.registrations import Parameter
from opgen.rules.registrations.cpp.kernels import cpp_kernels_of
from opgen.rules.registrations.cpp.types import is_writable_tensor
from opgen.rules.registrations.joined import JoinedOp


def writable(op: JoinedOp) -> Mapping[str, Parameter]:
    """Return the arguments that every C++ kernel of an op takes by a reference that is not const, as its first kernel has them.

    Nothing where this tells nothing: of an op of several tensors all are taken so.
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
