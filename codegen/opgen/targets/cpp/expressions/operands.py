"""The operands of a kernel in C++: their places in the space, and the constants that stand for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from opgen.model.compute.nodes import Dim, Operand, Store
from opgen.records import dataclass
from opgen.targets.cpp.expressions.conversions import Place
from opgen.targets.cpp.expressions.element_lists import ElementLists
from opgen.targets.cpp.expressions.identifiers import Identifiers
from opgen.targets.cpp.expressions.plan import Kept, Plan, Read
from opgen.targets.cpp.expressions.types import CppType, Types
from opgen.targets.names import cpp_name


@dataclass(frozen=True)
class Operands:
    """The operands of one kernel: those that are written come first.

    Attributes:
        plan: of the kernel.
        names: of its variables.
    """

    plan: Plan
    names: Identifiers

    def in_space(self) -> list[str]:
        """Return the operands as the space is given them."""
        stores = (f"{{{cpp_name(each.target)}, {self._axes(each.dims)}}}" for each in self.plan.program.stores)
        return [*stores, *map(self._read_in_space, self.plan.reads)]

    def declarations(self) -> Iterator[str]:
        """Yield the constants that stand for them, but for what is kept."""
        for place, store in enumerate(self.plan.program.stores):
            out = f"points::Out<{place}, {self.names.type(self._types.of(store.value.type))}, {self._stored(store)}>"
            yield f"constexpr {out} {self.names.stores[store.target]};"
        for read, type_ in self.plan.reads.items():
            if not isinstance(read, Kept):
                elements = self._loaded(read, type_) if isinstance(read, Operand) else "Dtypes<>"
                yield f"constexpr {self.class_of(read, elements)} {self.names.reads[read]};"

    def class_of(self, read: Read, elements: str = "Dtypes<>") -> str:
        """Return the class of what stands for something that is read."""
        return f"points::In<{self._places[read]}, {self.names.type(self.plan.reads[read])}, {elements}>"

    @cached_property
    def _places(self) -> Mapping[Read, int]:
        return {read: place for place, read in enumerate(self.plan.reads, len(self.plan.program.stores))}

    @cached_property
    def _types(self) -> Types:
        return self.plan.conversions.types

    @cached_property
    def _lists(self) -> ElementLists:
        return ElementLists(self._types)

    def _read_in_space(self, read: Read) -> str:
        match read:
            case Operand(argument, dims, start):
                first = "" if start is None else f", {self.names.outside(start)}"
                return f"{{{cpp_name(argument)}, {self._axes(dims)}{first}}}"
            case Place(axis):
                return f"points::Operand({self._axis_places[axis]})"
            case Kept():
                return "points::Operand(points::kNone)"

    @cached_property
    def _axis_places(self) -> Mapping[str, int]:
        return {axis.name: place for place, axis in enumerate(self.plan.program.axes)}

    def _axes(self, dims: Sequence[Dim]) -> str:
        places = ("points::kNone" if dim.axis is None else str(self._axis_places[dim.axis]) for dim in dims)
        return f"{{{', '.join(places)}}}"

    def _stored(self, store: Store) -> str:
        """Return the element types of what is written."""
        type_, is_output = store.value.type, store.target not in self._types.op.argument
        is_own = not type_.weak and self._types.is_own(store.target, type_, is_output=is_output)
        return self._elements(store.target, self._types.of(type_) if is_own else None, is_output=is_output)

    def _loaded(self, operand: Operand, type_: CppType) -> str:
        """Return the element types of what is read."""
        own = self.plan.loads[operand]
        is_own = type_ == self._types.of(own) and self._types.is_own(operand.argument, own, is_output=False)
        return self._elements(operand.argument, type_ if is_own else None, is_output=False)

    def _elements(self, tensor: str, own: CppType | None, *, is_output: bool) -> str:
        """Return the element types of a tensor, as a type; those that are computed in some type where they alone decide it."""
        listed = self._lists.of(tensor, is_output=is_output)
        has_several = len(self._types.elements(tensor, is_output=is_output)) > 1
        return listed if own is None or not has_several else f"points::own<{self.names.type(own)}, {listed}>"
