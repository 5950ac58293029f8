"""Names of the variables in a generated Triton module: those of the kernel and of its launcher."""

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
"""Names that the launcher uses unqualified, which no variable may have."""

_OF_KERNEL = _IMPORTED | {"row", "first", "second", "start", "column", "columns", "inside", "outer", "inner", "place"}
_OF_KERNEL |= {"ACC", "BLOCK", "CONFIGS", "range", "float"}
"""Names that the kernel uses unqualified, beside the functions of the template ``_MATHS``; no variable may have one."""

_MATHS = "triton/maths.py.j2"
_MADE = ("", "_pointer", "_outer", "_inner", "_column", "_part", "_all", "_place")
"""The suffixes of what is named after a value: its pointer and strides, the parts of a reduction."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """The variables of one kernel.

    Attributes:
        loads: operand -> the variable of its loaded elements.
        indices: axis -> the variable of the index along it.
        stores: argument or output -> the variable that is stored to it.
        steps: named value or reduction -> its variable.
    """

    loads: Mapping[Operand, str]
    indices: Mapping[str, str]
    stores: Mapping[str, str]
    steps: Mapping[str, str]

    @staticmethod
    def of(program: DeviceProgram) -> Identifiers:
        """Choose the names, so that no name collides with another, with or without one of the suffixes.

        Parameters have the names that ``Values.WORDS`` gives them.
        """
        scalars = (f"{name}_{end}" for name in program.scalars for end in ("scalar", "passed"))
        free = FreeNames({*_taken_in_kernel(), *scalars, *map(given_name, program.optional)}, _MADE)
        return Identifiers(
            loads={operand: free(python_name(operand.argument)) for operand in program.loads},
            indices={axis: free(f"index_{python_name(axis)}") for axis in program.indices},
            stores={store.target: free(python_name(store.target)) for store in program.stores},
            steps={step.name: free(python_name(step.name)) for step in program.steps},
        )

    @property
    def operands(self) -> tuple[str, ...]:
        """The names of the operands with a pointer, in the order of the kernel's parameters."""
        return (*self.stores.values(), *self.loads.values(), *self.indices.values())


def given_name(argument: str) -> str:
    """Return the name of the constant that tells whether an argument was given."""
    return f"HAS_{argument}"


def launcher_name(name: str) -> str:
    """Return a name as a variable of the launcher."""
    return f"{name}_" if name.rstrip("_") in _OF_LAUNCHER else python_name(name)


@cache
def _taken_in_kernel() -> frozenset[str]:
    """Return the names that no variable in a kernel may have."""
    maths = (templates_folder() / _MATHS).read_text(encoding="utf-8")
    return _OF_KERNEL | frozenset(re.findall(r"^def (\w+)", maths, re.MULTILINE))
