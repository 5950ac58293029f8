"""How the kernel of a family is called for a derived op, in any language: what each of its slots is given.

The kernel sees what it sees for the declared op: outputs of the layout that their contract promises and, unless it is
``alias_safe``, memory of their own. An out= argument, or the first one of an in-place op, that is not so is filled
through a temporary, as ATen's structured kernels do through ``maybe_get_proxy_output``
(``aten/src/ATen/TensorMeta.h``).
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
    """What a slot of the kernel is given."""

    FRESH = "a fresh tensor, which is a result or scratch"
    ARGUMENT = "the argument itself"
    EITHER = "the argument, or a temporary where it does not suit the kernel"
    TEMPORARY = "a temporary, whose elements are copied to the argument"


@dataclass(frozen=True)
class Member:
    """A derived op and the kernel's slots in it."""

    op: Op
    derivation: Derivation

    @cached_property
    def making(self) -> Op:
        """The op with all that may have to be made for a call as its outputs."""
        outputs = {slot.parameter: slot.spec for slot in self.derivation.slots}
        return replace(self.op, tensors=replace(self.op.tensors, outputs=outputs))

    @property
    def strides(self) -> Iterator[Expression]:
        """The strides that ``Slot.layout`` compares with."""
        layouts = (each for slot in self.derivation.slots for each in slot.layout)
        return (each.stride for each in layouts if isinstance(each, CheckStride))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """What the kernel takes, by the names of the declared op."""
        declared = self.derivation.declared
        return (*declared.argument, *(output.name for output in declared.fresh_outputs))

    @cached_property
    def asks_for_overlap(self) -> bool:
        """Whether it makes a difference what memory something written and something read have in common."""
        reads = any(not argument.written for argument in self.op.tensor_arguments)
        return reads and any(map(self._may_be_given, self.derivation.slots))

    @property
    def is_alias_safe(self) -> bool:
        """Whether that may be all of it: the kernel reads each element before it writes it."""
        return self.op.spec.alias_safe

    def given(self, slot: Slot) -> Given:
        """Return what a slot is given."""
        if slot.target not in self.op.argument:
            return Given.FRESH
        if not self._may_be_given(slot):
            return Given.TEMPORARY
        return Given.EITHER if slot.layout or self.asks_for_overlap else Given.ARGUMENT

    def _may_be_given(self, slot: Slot) -> bool:
        """Whether it may be the argument itself: in place only where the kernel may write what it reads."""
        is_out = slot.target == slot.parameter
        return slot.target in self.op.argument and (is_out or self.op.spec.alias_safe)


@dataclass(frozen=True)
class MemberVariables:
    """What the variables of the function in front of the kernel are called.

    Attributes:
        member: what is called.
        rename: makes a name an identifier of the language.
    """

    member: Member
    rename: Callable[[str], str]

    @cached_property
    def names(self) -> Names:
        """The names of the op's own."""
        return Names.of(self.member.making, self.rename)

    @cached_property
    def common(self) -> str:
        """The variable that says what memory something written and something read have in common."""
        return self.names.local("common")

    def target(self, slot: Slot) -> str:
        """Return the argument that the result of a slot belongs to."""
        return self.names.argument(slot.target or "")

    def fits(self, slot: Slot) -> str:
        """Return the variable that says whether the kernel may be given that argument itself."""
        return self.names.local(f"{slot.target}_fits")

    def filled(self, slot: Slot) -> str:
        """Return what the kernel is given."""
        if self.member.given(slot) in {Given.EITHER, Given.TEMPORARY}:
            return self.names.local(f"{slot.target}_filled")
        return self.rename(slot.target) if slot.target is not None else self.names.local(self.rename(slot.parameter))

    @property
    def passed(self) -> list[str]:
        """All that the kernel is given, in order."""
        filled = {slot.parameter: self.filled(slot) for slot in self.member.derivation.slots}
        return [filled.get(name) or self.rename(name) for name in self.member.parameters]
