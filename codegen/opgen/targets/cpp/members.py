"""The body of a derived op's C++ wrapper, as ``opgen.targets.members`` decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from opgen.model.kernel import Kernel
from opgen.model.op import Derivation, Op, Slot
from opgen.records import dataclass
from opgen.targets.checks.cpp import allocation, bindings, host_checks, layout_conditions
from opgen.targets.checks.lines import block, fill
from opgen.targets.cpp.resizing import resize_empty
from opgen.targets.cpp.signature import kernel_symbol
from opgen.targets.cpp.writes import write_checks
from opgen.targets.members import Given, Member, MemberVariables
from opgen.targets.names import cpp_name


def member_body(op: Op, derivation: Derivation, kernel: Kernel) -> Iterator[str]:
    """Yield the statements of a derived op's wrapper, but its ``return``."""
    return _Body(Member(op, derivation), kernel).statements()


def member_by_hand(op: Op, derivation: Derivation, kernel: Kernel) -> Iterator[str]:
    """Yield the same without checks and temporaries, for calls whose arguments suit the kernel (``by_hand``)."""
    return _Body(_Trusting(op, derivation), kernel).by_hand()


class _Trusting(Member):
    @cached_property
    def making(self) -> Op:
        slots = (slot for slot in self.derivation.slots if self.given(slot) is not Given.ARGUMENT)
        outputs = {slot.parameter: slot.spec for slot in slots}
        return replace(self.op, tensors=replace(self.op.tensors, outputs=outputs))

    def given(self, slot: Slot) -> Given:
        given = super().given(slot)
        return Given.ARGUMENT if given is Given.EITHER else given


@dataclass(frozen=True)
class _Body:
    member: Member
    kernel: Kernel

    @cached_property
    def variables(self) -> MemberVariables:
        return MemberVariables(self.member, cpp_name)

    def statements(self) -> Iterator[str]:
        member, slots = self.member, self.member.derivation.slots
        yield from resize_empty(member.op)
        yield from host_checks(member.making, read=member.strides)
        head = f"const writes::Common {self.variables.common} = " if member.asks_for_overlap else ""
        yield from write_checks(member.op, self.kernel, head)
        yield from self._call(slots)

    def by_hand(self) -> Iterator[str]:
        yield from bindings(self.member.making)
        yield from self._call(self.member.derivation.slots)

    def _call(self, slots: Sequence[Slot]) -> Iterator[str]:
        """Yield the preparation of each slot, the call of the kernel, and the copies to the arguments."""
        for slot in slots:
            yield from self._prepare(slot)
        yield "\n".join(fill(f"::{kernel_symbol(self.kernel)}(", self.variables.passed, ");"))
        for slot in slots:
            yield from self._finish(slot)

    def _prepare(self, slot: Slot) -> Iterator[str]:
        """Yield the statements that make the tensor which the kernel fills."""
        variable, fits = self.variables.filled(slot), self.variables.fits(slot)
        match self.member.given(slot):
            case Given.FRESH | Given.TEMPORARY:
                yield "\n".join(allocation(self.member.making, f"Tensor {variable} = ", slot.spec))
            case Given.EITHER:
                conditions = [*layout_conditions(self.member.op, slot.layout)]
                conditions += [self._is_apart()] if self.member.asks_for_overlap else []
                yield f"const bool {fits} = {' && '.join(conditions)};"
                yield f"Tensor {variable} = {self.variables.target(slot)};"
                made = allocation(self.member.making, f"{variable} = ", slot.spec)
                yield "\n".join(block(f"if (!{fits})", made))

    def _is_apart(self) -> str:
        """Return the condition that the kernel reads no memory that it has written."""
        if self.member.is_alias_safe:
            return f"{self.variables.common} != writes::Common::part"
        return f"{self.variables.common} == writes::Common::none"

    def _finish(self, slot: Slot) -> Iterator[str]:
        """Yield the statement that copies a result from its temporary to its argument."""
        copy = f"writes::copy({self.variables.target(slot)}, {self.variables.filled(slot)});"
        match self.member.given(slot):
            case Given.TEMPORARY:
                yield copy
            case Given.EITHER:
                yield f"if (!{self.variables.fits(slot)}) {copy}"
