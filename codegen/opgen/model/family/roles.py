"""The roles of a declared op's arguments and results in its family."""

from __future__ import annotations

from functools import cached_property

from opgen.model.contract import Contract
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.schema import nodes
from opgen.schema.types import is_plain_tensor


@dataclass(frozen=True)
class Roles:
    """The arguments and results of a declared op by role.

    Inputs are only read, destinations are filled, scratch has no meaning before or after a call, state is read and
    written.
    """

    op: Op

    @cached_property
    def inputs(self) -> tuple[nodes.Argument, ...]:
        """The arguments that every form has, in order."""
        return tuple(each for each in self.op.schema.arguments if not self.op.argument[each.name].written)

    @cached_property
    def first(self) -> nodes.Argument | None:
        """The argument that an in-place form would write; ``None`` if it is no positional plain ``Tensor``."""
        first = self.inputs[0] if self.inputs else None
        return first if first and not first.kwarg_only and is_plain_tensor(first.type) else None

    @cached_property
    def destinations(self) -> tuple[str, ...]:
        """The tensors that the kernel fills for its callers, by the name of the argument or output."""
        if self.op.contract is Contract.FUNCTIONAL:
            return tuple(output.name for output in self.op.outputs)
        return tuple(each.name for each in self.op.written if each.overwrites and not each.scratch)

    @cached_property
    def scratch(self) -> tuple[str, ...]:
        """The written arguments that serve the kernel as scratch memory."""
        return tuple(argument.name for argument in self.op.written if argument.scratch)

    @cached_property
    def state(self) -> tuple[str, ...]:
        """The written arguments whose values before the call matter."""
        return tuple(each.name for each in self.op.written if not (each.overwrites or each.scratch))
