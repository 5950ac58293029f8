"""What calls the kernel of a family for a derived op: with its own arguments, with fresh tensors, through temporaries.

The kernel sees what it sees for the declared op: outputs of the layout that their contract promises and, unless it is
``alias_safe``, memory of their own. An out= argument, or the first one of an in-place op, that is not so is filled
through a temporary, as ATen's structured kernels do through ``maybe_get_proxy_output``
(``aten/src/ATen/TensorMeta.h``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from opgen.model.op import Derivation, Op, Slot
from opgen.model.tensors import CheckStride, Kernel
from opgen.targets.checks.cpp import allocation, host_checks, layout_conditions
from opgen.targets.checks.lines import block, fill
from opgen.targets.cpp.signature import kernel_symbol
from opgen.targets.cpp.writes import write_checks
from opgen.targets.expressions import Names
from opgen.targets.names import cpp_name


def member_body(op: Op, derivation: Derivation, kernel: Kernel) -> Iterator[str]:
    """Yield the statements of a derived op's wrapper, but its ``return``."""
    return _Body(op, derivation, kernel).statements()


@dataclass(frozen=True)
class _Body:
    op: Op
    derivation: Derivation
    kernel: Kernel

    @cached_property
    def making(self) -> Op:
        """The op with all that may have to be made for a call as its outputs."""
        outputs = {slot.parameter: slot.spec for slot in self.derivation.slots}
        return replace(self.op, tensors=replace(self.op.tensors, outputs=outputs))

    @cached_property
    def names(self) -> Names:
        return Names.of(self.making, cpp_name)

    @cached_property
    def common(self) -> str:
        """The variable that says whether something written shares memory with something read."""
        return self.names.local("has_common_memory")

    @property
    def asks_for_overlap(self) -> bool:
        """Whether it makes a difference that something written is read as well."""
        return not self.op.spec.alias_safe and any(self._is_given(slot) for slot in self.derivation.slots)

    def statements(self) -> Iterator[str]:
        slots = self.derivation.slots
        strides = [each.stride for slot in slots for each in slot.layout if isinstance(each, CheckStride)]
        yield from host_checks(self.making, read=strides)
        yield from write_checks(self.op, self.kernel, f"const bool {self.common} = " if self.asks_for_overlap else "")
        for slot in slots:
            yield from self._prepare(slot)
        passed = {slot.parameter: self._variable(slot) for slot in slots}
        declared = self.derivation.declared
        parameters = [each.name for each in (*declared.arguments, *declared.fresh_outputs)]
        arguments = [passed.get(name) or cpp_name(name) for name in parameters]
        yield "\n".join(fill(f"::{kernel_symbol(self.kernel)}(", arguments, ");"))
        for slot in slots:
            yield from self._finish(slot)

    def _is_given(self, slot: Slot) -> bool:
        """Whether the kernel may be given the argument itself: in place only one that may read what it has written."""
        in_place = slot.target is not None and slot.target != slot.parameter
        return self._is_argument(slot) and (self.op.spec.alias_safe or not in_place)

    def _is_argument(self, slot: Slot) -> bool:
        return slot.target is not None and self.op.argument.get(slot.target) is not None

    def _conditions(self, slot: Slot) -> list[str]:
        """Return what must hold so that the kernel can be given the argument itself."""
        conditions = [*layout_conditions(self.op, slot.layout)]
        return [*conditions, f"!{self.common}"] if self.asks_for_overlap else conditions

    def _variable(self, slot: Slot) -> str:
        if not self._is_argument(slot):
            return self.names.local(cpp_name(slot.parameter)) if slot.target is None else cpp_name(slot.target)
        if self._is_given(slot) and not self._conditions(slot):
            return cpp_name(slot.target or "")
        return self.names.local(f"{slot.target}_filled")

    def _prepare(self, slot: Slot) -> Iterator[str]:
        """Yield what makes the tensor that the kernel fills."""
        variable = self._variable(slot)
        if not self._is_argument(slot) or not self._is_given(slot):
            yield "\n".join(allocation(self.making, f"Tensor {variable} = ", slot.spec))
        elif conditions := self._conditions(slot):
            yield f"Tensor {variable} = {cpp_name(slot.target or '')};"
            condition = " && ".join(conditions)
            made = allocation(self.making, f"{variable} = ", slot.spec)
            yield f"const bool {self._fits(slot)} = {condition};"
            yield "\n".join(block(f"if (!{self._fits(slot)})", made))

    def _finish(self, slot: Slot) -> Iterator[str]:
        """Yield what moves a result to the argument that it belongs to."""
        if self._is_argument(slot):
            copy = f"writes::copy({cpp_name(slot.target or '')}, {self._variable(slot)});"
            if not self._is_given(slot):
                yield copy
            elif self._conditions(slot):
                yield f"if (!{self._fits(slot)}) {copy}"

    def _fits(self, slot: Slot) -> str:
        return self.names.local(f"{slot.target}_fits")
