"""The signature of a kernel, which is the same for every backend.

The arguments in the order of the schema, then the outputs that the generated code has allocated, in the order of the
returns. What can't be allocated before the kernel has run (a size that only the kernel knows, a tensor without a
contract, a result that is no tensor) is returned, one value or a tuple.
"""

from __future__ import annotations

from collections.abc import Sequence

from opgen.model.kernel import Kernel
from opgen.model.op import Op, Output
from opgen.records import dataclass
from opgen.schema.printer import print_type
from opgen.targets.checks.lines import fill
from opgen.targets.cpp.types import parameter_type, result_type
from opgen.targets.names import cpp_name

_LONGEST_HEAD = 72
"""Columns in front of the first parameter. Longer heads are broken: the other parameters are aligned with the first."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel.

    Attributes:
        name: the identifier.
        type: the C++ type, ``const Tensor&``.
        rule: the part of the schema that it comes from, for compile errors.
    """

    name: str
    type: str
    rule: str

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters and the result of a kernel.

    Attributes:
        arguments: one parameter for each argument of the schema.
        filled: a parameter for each output that is allocated by the caller and filled by the kernel.
        returned: the outputs that the kernel returns.
        result: the C++ return type, ``void`` without returned outputs.
    """

    arguments: tuple[Parameter, ...]
    filled: tuple[Parameter, ...]
    returned: tuple[Output, ...]
    result: str

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All parameters in order."""
        return self.arguments + self.filled

    @property
    def type(self) -> str:
        """The signature for a message: ``void(const Tensor& x, Tensor& out)``."""
        return f"{self.result}({', '.join(map(str, self.parameters))})"

    def declare(self, name: str) -> str:
        """Return the head of a definition, without the opening brace."""
        return function_head(self.result, name, self.parameters)


def kernel_signature(op: Op, kernel: Kernel) -> Signature:
    """Derive the signature of one kernel."""
    arguments = tuple(
        Parameter(
            cpp_name(argument.name),
            parameter_type(argument.type, op.abi, written=argument.written),
            f"argument '{argument.name}' is {print_type(argument.type)} in the schema",
        )
        for argument in op.arguments
    )
    filled = tuple(output for output in op.fresh_outputs if not kernel.allocates and is_allocated(op, output))
    returned = tuple(output for output in op.fresh_outputs if output not in filled)
    return Signature(
        arguments,
        tuple(_filled(op, output) for output in filled),
        returned,
        result_type(tuple(output.type for output in returned), op.abi),
    )


def _filled(op: Op, output: Output) -> Parameter:
    """Return the parameter of an output that the kernel fills: optional where the output is ``None`` in some calls."""
    rule = f"output '{output.name}' is allocated before the kernel runs"
    if op.tensors.outputs[output.name].may_be_absent:
        return Parameter(cpp_name(output.name), "std::optional<Tensor>&", f"{rule}, unless it is None")
    return Parameter(cpp_name(output.name), "Tensor&", rule)


def function_head(result: str, name: str, parameters: Sequence[Parameter]) -> str:
    """Lay out the head of a function; a long return type stands on lines of its own."""
    lines, head = [], f"{result} {name}("
    if len(head) > _LONGEST_HEAD:
        template, _, arguments = result.partition("<")
        lines, head = fill(f"{template}<", arguments.split(", "), ""), f"{name}("
    return "\n".join([*lines, *fill(head, [str(parameter) for parameter in parameters], ")")])


def kernel_symbol(kernel: Kernel) -> str:
    """Return the qualified name of the kernel's C++ function; by default ``union_`` for an op called ``union``."""
    if kernel.names_symbol:
        return kernel.symbol
    return "::".join(map(cpp_name, kernel.symbol.split("::")))


def is_allocated(op: Op, output: Output) -> bool:
    """Whether an output can be allocated before the kernel runs."""
    spec = op.tensors.outputs.get(output.name)
    return spec is not None and not spec.is_dynamic
