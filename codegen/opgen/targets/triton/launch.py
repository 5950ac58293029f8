"""The launcher of a Triton kernel, on the host: it creates the iteration space and passes scalars and sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from opgen.model.compute.nodes import Axis
from opgen.model.op import Op
from opgen.model.tensors import BindPack, BindSize, SolveSize
from opgen.records import dataclass
from opgen.targets.expressions import Names, render_python
from opgen.targets.expressions.device_program import DeviceProgram
from opgen.targets.expressions.kernel_parameters import KernelParameters
from opgen.targets.python.sizes import size_text
from opgen.targets.python.types import passed_type
from opgen.targets.triton.identifiers import launcher_name


@dataclass(frozen=True)
class Launch:
    """The parts of the function that launches a kernel.

    Attributes:
        op: the op.
        program: the program that the kernel computes.
        kernel_parameters: the kernel's parameters beside its tensors.
    """

    op: Op
    program: DeviceProgram
    kernel_parameters: KernelParameters

    @cached_property
    def names(self) -> Names:
        """The variables of arguments and sizes in the launcher."""
        return Names.of(self.op, launcher_name)

    def parameters(self) -> Iterator[str]:
        """Yield the launcher's parameters, with their types."""
        for argument in self.op.arguments:
            yield f"{self.names.argument(argument.name)}: {passed_type(argument, self.op)}"
        yield from (f"{self.names.argument(output.name)}: Tensor" for output in self.op.fresh_outputs)

    @cached_property
    def space(self) -> str:
        """The arguments of the call of ``Space`` (``templates/triton/space.py.j2``)."""
        axes = ", ".join(map(self._axis, self.program.whole.axes))
        return f"[{axes}], [{', '.join(self._operands())}], {len(self.program.stores)}"

    @cached_property
    def scalars(self) -> tuple[tuple[str, str], ...]:
        """The kernel's parameters for scalars and sizes, each with the expression that is passed."""
        return tuple(self._scalars())

    @cached_property
    def constants(self) -> tuple[tuple[str, str], ...]:
        """The kernel's ``tl.constexpr`` parameters, each with the expression that is passed."""
        return tuple(self._constants())

    def sizes(self) -> Iterator[str]:
        """Yield the statements that bind the named sizes which the other statements mention."""
        text = " ".join([self.space, *(value for _, value in (*self.scalars, *self.constants))])
        lines: list[str] = []
        for step in reversed(self.op.tensors.steps):
            check = step.check
            if step.given or step.each or not isinstance(check, BindSize | BindPack | SolveSize):
                continue
            name = self.names.value(check.name)
            if re.search(rf"\b{name}\b", text):
                lines.append(f"{name} = {size_text(step, self.names)}")
                text += lines[-1].partition(" = ")[2]
        yield from reversed(lines)

    def _axis(self, axis: Axis) -> str:
        size = "None" if axis.size is None else render_python(axis.size, self.names)
        return f"({size}, {axis.name in self.program.whole.reduced})"

    def _operands(self) -> Iterator[str]:
        def places(dims: Iterable[str | None]) -> str:
            found = ["None" if axis is None else str(self.program.place(axis)) for axis in dims]
            return f"({', '.join(found)}{',' if len(found) == 1 else ''})"

        for store in self.program.stores:
            yield f"({self.names.argument(store.target)}, {places(dim.axis for dim in store.dims)})"
        for operand in self.program.loads:
            tensor = self.names.argument(operand.argument)
            if operand.start is not None:
                bound = render_python(operand.start, self.names)
                start = f"{tensor}[..., {bound}{'' if bound.isidentifier() or bound.isdigit() else ' '}:]"
                tensor = f"None if {tensor} is None else {start}" if operand.is_optional else start
            yield f"({tensor}, {places(dim.axis for dim in operand.dims)})"
        for axis in self.program.indices:
            size = self.program.whole.axis[axis].size
            assert size is not None  # noqa: S101 - an index is along a single axis
            device = f"{self.names.argument(self.program.stores[0].target)}.device"
            yield f"(torch.arange({render_python(size, self.names)}, device={device}), ({self.program.place(axis)},))"

    def _scalars(self) -> Iterator[tuple[str, str]]:
        for argument, scalar in self.kernel_parameters.scalars.items():
            name = self.names.argument(argument)
            text = f"0 if {name} is None else {name}" if scalar.is_optional else name
            yield f"{argument}_passed", text if scalar.type.kind in {"bool", "int"} else f"bits({text})"
        for size, name in self.kernel_parameters.sizes.items():
            yield f"{name}_passed", render_python(size, self.names)

    def _constants(self) -> Iterator[tuple[str, str]]:
        for argument, name in self.kernel_parameters.given.items():
            yield name, f"{self.names.argument(argument)} is not None"
        for (tensors, dtypes), name in self.kernel_parameters.widths.items():
            yield name, f"width({', '.join(self._dtypes(tensors, dtypes))})"
        for (tensors, dtypes, may_be_integer), name in self.kernel_parameters.types.items():
            yield f"{name}_KIND", f"kind({not may_be_integer}, {', '.join(self._dtypes(tensors, dtypes))})"

    def _dtypes(self, tensors: Iterable[str], dtypes: Iterable[str]) -> Iterator[str]:
        for name in tensors:
            tensor = self.names.argument(name)
            dtype = f"{tensor}.dtype"
            yield f"None if {tensor} is None else {dtype}" if self.op.argument[name].is_optional else dtype
        yield from (f"torch.{dtype}" for dtype in dtypes)
