"""The body of a derived op's wrapper around a Python kernel, as ``opgen.targets.members`` decides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from opgen.model.op import Slot
from opgen.records import dataclass
from opgen.targets.checks.python import allocation, fake_checks, fake_return, layout_conditions
from opgen.targets.members import Given, Member, MemberVariables
from opgen.targets.names import python_name
from opgen.targets.python.layout import requote


@dataclass(frozen=True)
class MemberBody:
    """The statements of one wrapper; those inside of a block are indented.

    Attributes:
        member: the derived op.
        refuse_overlap: the call that refuses harmful overlap and returns the kind of overlap that is left.
        write: the call that refuses a write to a leaf, or bumps the version counter.
        kernel: the expression for the author's function.
    """

    member: Member
    refuse_overlap: str
    write: str
    kernel: str

    @cached_property
    def variables(self) -> MemberVariables:
        """The names of its variables."""
        return MemberVariables(self.member, python_name)

    def statements(self) -> Iterator[str]:
        """Yield the statements."""
        member, slots = self.member, self.member.derivation.slots
        yield from map(requote, fake_checks(member.making, read=member.strides))
        if member.op.written:
            yield f"{self.variables.common} = {self.refuse_overlap}" if member.asks_for_overlap else self.refuse_overlap
            yield self.write
        for slot in slots:
            yield from self._prepare(slot)
        yield "with _below_autograd():"
        yield f"    {self.kernel}({', '.join(self.variables.passed)})"
        for slot in slots:
            yield from self._finish(slot)
        yield from fake_return(member.op)

    def _prepare(self, slot: Slot) -> Iterator[str]:
        """Yield the statements that make the tensor which the kernel fills."""
        variable, fits = self.variables.filled(slot), self.variables.fits(slot)
        made = requote(allocation(self.member.making, slot.spec))
        match self.member.given(slot):
            case Given.FRESH | Given.TEMPORARY:
                yield f"{variable} = {made}"
            case Given.EITHER:
                conditions = [*layout_conditions(self.member.op, slot.layout)]
                is_apart = '!= "part"' if self.member.is_alias_safe else '== "none"'
                conditions += [f"{self.variables.common} {is_apart}"] if self.member.asks_for_overlap else []
                yield f"{fits} = {' and '.join(conditions)}"
                yield f"{variable} = {self.variables.target(slot)}"
                yield f"if not {fits}:"
                yield f"    {variable} = {made}"

    def _finish(self, slot: Slot) -> Iterator[str]:
        """Yield the statement, in the block of the call, that copies a result from its temporary to its argument."""
        copy = f"{self.variables.target(slot)}.copy_({self.variables.filled(slot)})"
        match self.member.given(slot):
            case Given.TEMPORARY:
                yield f"    {copy}"
            case Given.EITHER:
                yield f"    if not {self.variables.fits(slot)}:"
                yield f"        {copy}"
