"""What the values of a kernel on a device are called."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.model.compute.nodes import Operand
from opgen.records import dataclass
from opgen.targets.expressions.device_program import DeviceProgram
from opgen.targets.names import FreeNames, cpp_name

_RESERVED = frozenset({"at", "j", "place", "walk", "kernel", "space", "acc", "count", "data", "bytes", "acc_t"})
_MADE = ("", "_", "_pack", "_part")
"""What is made of a name: the value, a member, several elements, a part of a reduction."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """The names of values in one kernel.

    Attributes:
        loads: of what is loaded.
        stores: of what is stored, by its argument or output.
        steps: of bindings and reductions.
    """

    loads: Mapping[Operand, str]
    stores: Mapping[str, str]
    steps: Mapping[str, str]

    @staticmethod
    def of(program: DeviceProgram) -> Identifiers:
        """Choose them: each is free, and so is all that is made of it."""
        free = FreeNames(_RESERVED, _MADE)
        return Identifiers(
            loads={operand: free(cpp_name(operand.argument)) for operand in program.loads},
            stores={store.target: free(cpp_name(store.target)) for store in program.stores},
            steps={step.name: free(cpp_name(step.name)) for step in program.steps},
        )
