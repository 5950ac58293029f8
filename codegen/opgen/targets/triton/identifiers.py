"""What is called how in a generated module: the values of a kernel, the variables of the function that launches it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from opgen.model.compute.nodes import Operand
from opgen.records import dataclass
from opgen.targets.expressions.device_program import DeviceProgram
from opgen.targets.names import FreeNames, python_name
from opgen.targets.templates import templates_folder

_IMPORTED = frozenset({"torch", "triton", "tl", "Tensor", "wrap_triton", "Space"})
_IMPORTED |= {"bits", "block_for", "kind", "width"}
_OF_LAUNCHER = _IMPORTED | {"space", "count", "operands", "block", "part", "tensor", "strides", "meta"}
_OF_LAUNCHER |= {"zip", "min", "max"}
"""What the function that launches uses unqualified."""

_OF_KERNEL = _IMPORTED | {"row", "first", "second", "start", "column", "columns", "inside", "outer", "inner", "place"}
_OF_KERNEL |= {"ACC", "BLOCK", "CONFIGS", "range", "float"}
"""What the kernel uses unqualified, beside the functions of the template ``_MATHS``."""

_MATHS = "triton/maths.py.j2"


@dataclass(frozen=True, slots=True)
class Identifiers:
    """The names of values in one kernel.

    Attributes:
        loads: of what is loaded.
        indices: of places along axes.
        stores: of what is stored, by its argument or output.
        steps: of bindings and reductions.
    """

    loads: Mapping[Operand, str]
    indices: Mapping[str, str]
    stores: Mapping[str, str]
    steps: Mapping[str, str]

    @staticmethod
    def of(program: DeviceProgram) -> Identifiers:
        """Choose them: each is free, and so is that of the pointer which is made of it."""
        free = FreeNames(_taken_in_kernel(), ("", "_pointer"))
        return Identifiers(
            loads={operand: free(python_name(operand.argument)) for operand in program.loads},
            indices={axis: free(f"index_{python_name(axis)}") for axis in program.indices},
            stores={store.target: free(python_name(store.target)) for store in program.stores},
            steps={step.name: free(python_name(step.name)) for step in program.steps},
        )

    @property
    def operands(self) -> tuple[str, ...]:
        """Those of all that has a pointer, in the order in which the kernel takes them."""
        return (*self.stores.values(), *self.loads.values(), *self.indices.values())


def launcher_name(name: str) -> str:
    """Return a name as a variable of the function that launches."""
    return f"{name}_" if name.rstrip("_") in _OF_LAUNCHER else python_name(name)


@cache
def _taken_in_kernel() -> frozenset[str]:
    """Return what no value in a kernel may be called."""
    maths = (templates_folder() / _MATHS).read_text(encoding="utf-8")
    return _OF_KERNEL | frozenset(re.findall(r"^def (\w+)", maths, re.MULTILINE))
