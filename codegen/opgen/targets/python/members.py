"""The body of a derived op's function in front of a kernel in Python; ``opgen.targets.members`` says what it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from opgen.model.op import Slot
from opgen.targets.checks.python import allocation, fake_checks, fake_return, layout_conditions
from opgen.targets.expressions import Names
from opgen.targets.members import Given, Member
from opgen.targets.names import python_name
from opgen.targets.python.layout import requote


@dataclass(frozen=True)
class MemberBody:
    """The statements of one function; those inside of a block are indented.

    Attributes:
        member: what is called.
        refuse_overlap: the call that refuses memory in common, and returns what is harmless.
        write: the call that refuses, or counts, a write.
        kernel: the expression for the author's function.
    """

    member: Member
    refuse_overlap: str
    write: str
    kernel: str

    @cached_property
    def names(self) -> Names:
        """The names of all its variables."""
        return Names.of(self.member.making, python_name)

    @cached_property
    def common(self) -> str:
        """The variable that says what memory something written and something read have in common."""
        return self.names.local("common")

    def statements(self) -> Iterator[str]:
        """Yield all of them."""
        member, slots = self.member, self.member.derivation.slots
        yield from map(requote, fake_checks(member.making, read=member.strides))
        if member.op.written:
            yield f"{self.common} = {self.refuse_overlap}" if member.asks_for_overlap else self.refuse_overlap
            yield self.write
        for slot in slots:
            yield from self._prepare(slot)
        passed = {slot.parameter: self._variable(slot) for slot in slots}
        arguments = [passed.get(name) or python_name(name) for name in member.parameters]
        yield "with _below_autograd():"
        yield f"    {self.kernel}({', '.join(arguments)})"
        for slot in slots:
            yield from self._finish(slot)
        yield from fake_return(member.op)

    def _variable(self, slot: Slot) -> str:
        """Return the name of what the kernel is given."""
        target = python_name(slot.target) if slot.target is not None else self.names.local(python_name(slot.parameter))
        is_own = self.member.given(slot) in {Given.FRESH, Given.ARGUMENT}
        return target if is_own else self.names.local(f"{slot.target}_filled")

    def _fits(self, slot: Slot) -> str:
        return self.names.local(f"{slot.target}_fits")

    def _prepare(self, slot: Slot) -> Iterator[str]:
        """Yield what makes the tensor that the kernel fills."""
        made = requote(allocation(self.member.making, slot.spec))
        match self.member.given(slot):
            case Given.FRESH | Given.TEMPORARY:
                yield f"{self._variable(slot)} = {made}"
            case Given.EITHER:
                conditions = [*layout_conditions(self.member.op, slot.layout)]
                is_apart = f'{self.common} != "part"' if self.member.is_alias_safe else f'{self.common} == "none"'
                conditions += [is_apart] if self.member.asks_for_overlap else []
                yield f"{self._fits(slot)} = {' and '.join(conditions)}"
                yield f"{self._variable(slot)} = {self.names.argument(slot.target or '')}"
                yield f"if not {self._fits(slot)}:"
                yield f"    {self._variable(slot)} = {made}"

    def _finish(self, slot: Slot) -> Iterator[str]:
        """Yield what moves a result to the argument that it belongs to, in the block of the call."""
        copy = f"{self.names.argument(slot.target or '')}.copy_({self._variable(slot)})"
        match self.member.given(slot):
            case Given.TEMPORARY:
                yield f"    {copy}"
            case Given.EITHER:
                yield f"    if not {self._fits(slot)}:"
                yield f"        {copy}"
