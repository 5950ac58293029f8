"""The body of a derived op's wrapper in C++; ``opgen.targets.members`` says what it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from opgen.model.op import Derivation, Op, Slot
from opgen.model.tensors import Kernel
from opgen.targets.checks.cpp import allocation, host_checks, layout_conditions
from opgen.targets.checks.lines import block, fill
from opgen.targets.cpp.signature import kernel_symbol
from opgen.targets.cpp.writes import write_checks
from opgen.targets.expressions import Names
from opgen.targets.members import Given, Member
from opgen.targets.names import cpp_name


def member_body(op: Op, derivation: Derivation, kernel: Kernel) -> Iterator[str]:
    """Yield the statements of a derived op's wrapper, but its ``return``."""
    return _Body(Member(op, derivation), kernel).statements()


@dataclass(frozen=True)
class _Body:
    member: Member
    kernel: Kernel

    @cached_property
    def names(self) -> Names:
        return Names.of(self.member.making, cpp_name)

    @cached_property
    def common(self) -> str:
        """The variable that says what memory something written and something read have in common."""
        return self.names.local("common")

    def statements(self) -> Iterator[str]:
        member, slots = self.member, self.member.derivation.slots
        yield from host_checks(member.making, read=member.strides)
        head = f"const writes::Common {self.common} = " if member.asks_for_overlap else ""
        yield from write_checks(member.op, self.kernel, head)
        for slot in slots:
            yield from self._prepare(slot)
        passed = {slot.parameter: self._variable(slot) for slot in slots}
        arguments = [passed.get(name) or cpp_name(name) for name in member.parameters]
        yield "\n".join(fill(f"::{kernel_symbol(self.kernel)}(", arguments, ");"))
        for slot in slots:
            yield from self._finish(slot)

    def _variable(self, slot: Slot) -> str:
        """Return the name of what the kernel is given."""
        target = cpp_name(slot.target) if slot.target is not None else self.names.local(cpp_name(slot.parameter))
        is_own = self.member.given(slot) in {Given.FRESH, Given.ARGUMENT}
        return target if is_own else self.names.local(f"{slot.target}_filled")

    def _fits(self, slot: Slot) -> str:
        return self.names.local(f"{slot.target}_fits")

    def _prepare(self, slot: Slot) -> Iterator[str]:
        """Yield what makes the tensor that the kernel fills."""
        variable = self._variable(slot)
        match self.member.given(slot):
            case Given.FRESH | Given.TEMPORARY:
                yield "\n".join(allocation(self.member.making, f"Tensor {variable} = ", slot.spec))
            case Given.EITHER:
                conditions = [*layout_conditions(self.member.op, slot.layout)]
                conditions += [self._is_apart()] if self.member.asks_for_overlap else []
                yield f"const bool {self._fits(slot)} = {' && '.join(conditions)};"
                yield f"Tensor {variable} = {self.names.argument(slot.target or '')};"
                made = allocation(self.member.making, f"{variable} = ", slot.spec)
                yield "\n".join(block(f"if (!{self._fits(slot)})", made))

    def _is_apart(self) -> str:
        """Return the condition that the kernel does not read what it has written."""
        if self.member.is_alias_safe:
            return f"{self.common} != writes::Common::part"
        return f"{self.common} == writes::Common::none"

    def _finish(self, slot: Slot) -> Iterator[str]:
        """Yield what moves a result to the argument that it belongs to."""
        copy = f"writes::copy({self.names.argument(slot.target or '')}, {self._variable(slot)});"
        match self.member.given(slot):
            case Given.TEMPORARY:
                yield copy
            case Given.EITHER:
                yield f"if (!{self._fits(slot)}) {copy}"
