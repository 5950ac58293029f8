"""Names of the variables in a generated CUDA or Triton kernel."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.model.compute.nodes import Operand
from opgen.records import dataclass
from opgen.targets.expressions.device_program import DeviceProgram
from opgen.targets.names import FreeNames, cpp_name

_RESERVED = frozenset({"at", "j", "place", "walk", "kernel", "space", "acc", "count", "data", "bytes", "acc_t"})
_MADE = ("", "_", "_pack", "_part")
"""Suffixes of the variables made from a name: the value itself, a member, a pack of elements, a partial reduction."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """The variables of one kernel.

    Attributes:
        loads: operand -> the variable of its loaded element.
        stores: argument or output -> the variable that is stored to it.
        steps: binding or reduction -> its variable.
    """

    loads: Mapping[Operand, str]
    stores: Mapping[str, str]
    steps: Mapping[str, str]

    @staticmethod
    def of(program: DeviceProgram) -> Identifiers:
        """Choose the names, so that no name collides with another, with or without one of the suffixes.

        Parameters have the names that ``Values.WORDS`` gives them.
        """
        parameters = (*(f"{name}_" for name in program.scalars), *(f"has_{name}_" for name in program.optional))
        free = FreeNames({*_RESERVED, *parameters}, _MADE)
        return Identifiers(
            loads={operand: free(cpp_name(operand.argument)) for operand in program.loads},
            stores={store.target: free(cpp_name(store.target)) for store in program.stores},
            steps={step.name: free(cpp_name(step.name)) for step in program.steps},
        )
