"""Decides, for C++ and Python alike, which tensors a derived op passes to the kernel of its family.

A slot is an output parameter of the kernel. The kernel may rely on the same as when the declared op is called: outputs
with the layout of their contract and, unless it is ``alias_safe``, in memory of their own. An out= argument, or the
first argument of an in-place op, that doesn't satisfy this is filled through a temporary, as ATen's structured kernels
do through ``maybe_get_proxy_output`` (``aten/src/ATen/TensorMeta.h``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import Enum
from functools import cached_property

from opgen.model.op import Derivation, Op, Slot
from opgen.model.tensors import CheckStride
from opgen.records import dataclass
from opgen.spec.expression import Expression
from opgen.targets.expressions import Names


class Given(Enum):
    """The tensor that is passed to a slot of the kernel."""

    FRESH = "a fresh tensor, which is a result or scratch"
    ARGUMENT = "the argument itself"
    EITHER = "the argument, or a temporary where it does not suit the kernel"
    TEMPORARY = "a temporary, whose elements are copied to the argument"


@dataclass(frozen=True)
class Member:
    """A derived op (a member of a family), and what it passes to the kernel's slots."""

    op: Op
    derivation: Derivation

    @cached_property
    def making(self) -> Op:
        """The op with every tensor that a call may allocate as an output, so that the plan binds their sizes."""
        outputs = {slot.parameter: slot.spec for slot in self.derivation.slots}
        return replace(self.op, tensors=replace(self.op.tensors, outputs=outputs))

    @property
    def strides(self) -> Iterator[Expression]:
        """The stride expressions in the layouts of slots, whose names must be bound before arguments are compared."""
        layouts = (each for slot in self.derivation.slots for each in slot.layout)
        return (each.stride for each in layouts if isinstance(each, CheckStride))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of the kernel, by their names in the declared op."""
        declared = self.derivation.declared
        return (*declared.argument, *(output.name for output in declared.fresh_outputs))

    @cached_property
    def asks_for_overlap(self) -> bool:
        """Whether the choice of temporaries depends on the overlap between written and read arguments."""
        reads = any(not argument.written for argument in self.op.tensor_arguments)
        return reads and any(map(self._may_be_given, self.derivation.slots))

    @property
    def is_alias_safe(self) -> bool:
        """Whether written and read arguments may share memory: the kernel reads an element before it writes it."""
        return self.op.spec.alias_safe

    def given(self, slot: Slot) -> Given:
        """Return which tensor to pass to a slot."""
        if slot.target not in self.op.argument:
            return Given.FRESH
        if not self._may_be_given(slot):
            return Given.TEMPORARY
        return Given.EITHER if slot.layout or self.asks_for_overlap else Given.ARGUMENT

    def _may_be_given(self, slot: Slot) -> bool:
        """Whether the argument itself may be passed: in an in-place op only to an ``alias_safe`` kernel."""
        is_out = slot.target == slot.parameter
        return slot.target in self.op.argument and (is_out or self.op.spec.alias_safe)


@dataclass(frozen=True)
class MemberVariables:
    """The variables in the wrapper of a derived op.

    Attributes:
        member: the derived op.
        rename: turns a name into an identifier of the language, as ``cpp_name``.
    """

    member: Member
    rename: Callable[[str], str]

    @cached_property
    def names(self) -> Names:
        """The names of the op's arguments and sizes."""
        return Names.of(self.member.making, self.rename)

    @cached_property
    def common(self) -> str:
        """The variable that holds how written and read arguments overlap: not, partly, or as the same memory."""
        return self.names.local("common")

    def target(self, slot: Slot) -> str:
        """Return the written argument that receives the result of a slot."""
        return self.names.argument(slot.target or "")

    def fits(self, slot: Slot) -> str:
        """Return the variable that says whether the kernel may be given that argument itself."""
        return self.names.local(f"{slot.target}_fits")

    def filled(self, slot: Slot) -> str:
        """Return the variable that is passed to a slot."""
        if self.member.given(slot) in {Given.EITHER, Given.TEMPORARY}:
            return self.names.local(f"{slot.target}_filled")
        return self.rename(slot.target) if slot.target is not None else self.names.local(self.rename(slot.parameter))

    @property
    def passed(self) -> list[str]:
        """The arguments of the kernel's call, in order."""
        filled = {slot.parameter: self.filled(slot) for slot in self.member.derivation.slots}
        return [filled.get(name) or self.rename(name) for name in self.member.parameters]
