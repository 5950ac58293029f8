"""The launcher of a CUDA kernel, on the host: it creates the iteration space, chooses types and fills the struct."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from opgen.model.compute.nodes import Axis, Dim, ValueType
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.spec.expression import Constant
from opgen.targets.checks.lines import fill
from opgen.targets.cpp.device.identifiers import Identifiers
from opgen.targets.cpp.device.values import Values
from opgen.targets.cpp.expressions.element_lists import ElementLists
from opgen.targets.cpp.expressions.types import Types
from opgen.targets.dtypes import scalar_type
from opgen.targets.expressions.cpp import render_cpp
from opgen.targets.expressions.device_program import DeviceProgram
from opgen.targets.expressions.device_values import type_key
from opgen.targets.expressions.names import Names
from opgen.targets.names import cpp_name


@dataclass(frozen=True)
class Launch:
    """The parts of the function that launches a kernel.

    Attributes:
        op: the op.
        program: the program that the kernel computes.
        identifiers: the names of the kernel's variables.
        values: the renderer of the kernel's body, which has collected what the body mentions.
    """

    op: Op
    program: DeviceProgram
    identifiers: Identifiers
    values: Values

    @cached_property
    def names(self) -> Names:
        """The names of arguments, sizes and variables in the launcher."""
        return Names.of(self.op, cpp_name)

    @cached_property
    def on(self) -> str:
        """The tensor whose device and stream are used: one that is never ``None``."""
        plain = [cpp_name(operand.argument) for operand in self.program.loads if not operand.is_optional]
        return (plain or [cpp_name(store.target) for store in self.program.stores])[0]

    def space(self, name: str) -> list[str]:
        """Return the lines of the statement that creates the iteration space as the variable ``name``."""
        axes, operands = ", ".join(map(self._axis, self.program.whole.axes)), [*self._operands()]
        return fill(f"const device::Space<{len(operands)}> {name}({{{axes}}}, {{", operands, "});")

    def elements(self) -> Iterator[tuple[str, str, str]]:
        """Yield element types, struct member and initializer of each operand; empty texts for places along an axis."""
        for store in self.program.stores:
            name = store.target
            elements = self._element_list(name, store.value.type, is_output=name not in self.op.argument)
            yield elements, f"{self.identifiers.stores[name]}_", f"device::Memory::written({cpp_name(name)})"
        for operand in self.program.loads:
            own = self.program.types[operand]
            is_own = self.values.loads.get(operand, type_key(own)) == type_key(own)
            elements = self._element_list(operand.argument, own if is_own else None, is_output=False)
            yield elements, f"{self.identifiers.loads[operand]}_", f"device::Memory({cpp_name(operand.argument)})"
        yield from (("", "", "") for _ in self.program.indices)

    def members(self) -> Iterator[tuple[str, str, str]]:
        """Yield type, name and initializer of the struct's other members: scalars, sizes, flags, widths."""
        parameters = self.values.parameters
        for argument, scalar in parameters.scalars.items():
            type_ = {"bool": "bool", "int": "int64_t"}.get(scalar.type.kind, "double")
            name = cpp_name(argument)
            value = f"abi::number({name})" if self.names.type_name(argument) == "Scalar" else name
            yield type_, f"{argument}_", f"{value}.value_or({type_}(0))" if scalar.is_optional else value
        for size, name in parameters.sizes.items():
            yield "int64_t", name, render_cpp(size, self.names)
        for argument, name in parameters.given.items():
            yield "bool", name, f"{cpp_name(argument)}.has_value()"
        for (tensors, dtypes), name in parameters.widths.items():
            yield "device::Width", name, f"device::Width::of({{{', '.join(_dtypes(tensors, dtypes))}}})"

    def types(self) -> Iterator[tuple[str, str, str]]:
        """Yield, for each type that depends on dtypes, template parameter, variable, and the call that chooses it."""
        for (tensors, dtypes, may_be_integer), name in self.values.parameters.types.items():
            chosen = self.names.local(name.removesuffix("_t"))
            kind = "number" if may_be_integer else "float"
            yield name, chosen, f"device::with_{kind}({{{', '.join(_dtypes(tensors, dtypes))}}}"

    def _axis(self, axis: Axis) -> str:
        size = "device::kPackOfDims" if axis.size is None else render_cpp(axis.size, self.names)
        return f"{{{size}, true}}" if axis.name in self.program.whole.reduced else f"{{{size}}}"

    def _operands(self) -> Iterator[str]:
        for store in self.program.stores:
            yield f"device::Operand({cpp_name(store.target)}, {self._dims(store.dims)})"
        for operand in self.program.loads:
            start = "" if operand.start in {None, Constant(0)} else f", {render_cpp(operand.start, self.names)}"
            yield f"device::Operand({cpp_name(operand.argument)}, {self._dims(operand.dims)}{start})"
        for axis in self.program.indices:
            yield f"device::Operand({self.program.place(axis)})"

    def _dims(self, dims: Sequence[Dim]) -> str:
        places = ("device::kNone" if dim.axis is None else str(self.program.place(dim.axis)) for dim in dims)
        return f"{{{', '.join(places)}}}"

    @cached_property
    def _lists(self) -> ElementLists:
        return ElementLists(Types(self.op))

    def _element_list(self, tensor: str, type_: ValueType | None, *, is_output: bool) -> str:
        """Return the element types of an operand.

        Where the operand's dtype decides the type that is computed in, only the element types which lead to that type.
        """
        listed = self._lists.of(tensor, is_output=is_output)
        if type_ is None or type_.weak or not isinstance(type_key(type_), tuple):
            return listed
        is_own = self._lists.types.is_own(tensor, type_, is_output=is_output)
        return f"device::own_t<{self.values.type_of(type_)}, {listed}>" if is_own else listed


def _dtypes(tensors: Iterable[str], dtypes: Iterable[str]) -> Iterator[str]:
    yield from (f"device::dtype_of({cpp_name(name)})" for name in tensors)
    yield from map(scalar_type, dtypes)
