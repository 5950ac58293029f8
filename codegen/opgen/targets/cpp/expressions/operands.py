"""The operands of a program: tensors as they are read and written, and places along axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from opgen.model.compute.nodes import Dim, Operand, Program, ValueType
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.spec.expression import Expression
from opgen.targets.cpp.expressions.element_lists import ElementLists
from opgen.targets.cpp.expressions.types import Types
from opgen.targets.names import cpp_name


@dataclass(frozen=True, slots=True)
class Handle:
    """An operand in C++.

    Attributes:
        name: of the constant that stands for it, ``from_x``.
        element: what an element of it is called.
        type: what it is computed in.
        declaration: of the constant.
        rows: the array of its elements, one a row, where it lacks the reduced axes; else empty.
    """

    name: str
    element: str
    type: str
    declaration: str
    rows: str = ""


class Operands:
    """Collects the operands of a program, in the order in which they are asked for; those that are stored come first."""

    def __init__(
        self, op: Op, program: Program, types: Types, free: Callable[[str], str], size: Callable[[Expression], str]
    ) -> None:
        """Prepare; ``size`` renders an expression over sizes."""
        self._op, self._program, self._types, self._free, self._size = op, program, types, free, size
        self._axes = {axis.name: place for place, axis in enumerate(program.axes)}
        self._lists = ElementLists(op, types)
        self._elements_of: set[str] = set()
        self.texts: list[str] = []
        self.handles: dict[Operand | str, Handle] = {}

    def add_store(self, target: str, dims: tuple[Dim, ...], type_: str, value: ValueType) -> Handle:
        """Add what is written."""
        name = cpp_name(target)
        is_output = target not in self._op.argument
        elements = self._elements(
            target, type_, is_own=self._is_own(target, value, is_output=is_output), is_output=is_output
        )
        self.texts.append(f"{{{name}, {self._places(dims)}}}")
        return self._handle("to", name, type_, elements, per_row=not self._varies(dims))

    def add_load(self, operand: Operand, type_: str, own: str) -> Handle:
        """Add what is read; ``own`` is what its dtype alone is computed in."""
        name = cpp_name(operand.argument)
        elements = self._elements(operand.argument, type_, is_own=type_ == own, is_output=False)
        start = "" if operand.start is None else f", {self._size(operand.start)}"
        self.texts.append(f"{{{name}, {self._places(operand.dims)}{start}}}")
        handle = self._handle("from", name, type_, elements, per_row=not self._varies(operand.dims))
        self.handles[operand] = handle
        return handle

    def add_index(self, axis: str, type_: str) -> Handle:
        """Add the places along an axis."""
        self.texts.append(f"points::Operand({self._axes[axis]})")
        per_row = bool(self._program.reduced) and axis not in self._program.reduced
        handle = self._handle("from", f"{cpp_name(axis)}_place", type_, "Dtypes<>", per_row=per_row)
        self.handles[axis] = handle
        return handle

    def add_place(self) -> int:
        """Add a place for a value that is kept, and return which one it is."""
        self.texts.append("points::Operand(points::kNone)")
        return len(self.texts) - 1

    def _handle(self, verb: Literal["from", "to"], name: str, type_: str, elements: str, *, per_row: bool) -> Handle:
        place = len(self.texts) - 1
        constant = self._free(f"{verb}_{name}")
        # Where an element is in sight, the tensor is not needed.
        is_first = name not in self._elements_of
        element = name
        if verb == "from":
            element = name if is_first else self._free(f"{name}_2")
            self._elements_of.add(name)
        class_ = "In" if verb == "from" else "Out"
        declaration = f"constexpr points::{class_}<{place}, {type_}, {elements}> {constant};"
        rows = self._free(f"{name}_of") if per_row and verb == "from" else ""
        return Handle(constant, element, type_, declaration, rows)

    def _places(self, dims: tuple[Dim, ...]) -> str:
        places = ("points::kNone" if dim.axis is None else str(self._axes[dim.axis]) for dim in dims)
        return f"{{{', '.join(places)}}}"

    def _varies(self, dims: tuple[Dim, ...]) -> bool:
        """Whether an operand lies along reduced axes, or there are none."""
        return not self._program.reduced or any(dim.axis in self._program.reduced for dim in dims)

    def _is_own(self, target: str, value: ValueType, *, is_output: bool) -> bool:
        return not value.weak and self._types.is_own(target, value, is_output=is_output)

    def _elements(self, tensor: str, type_: str, *, is_own: bool, is_output: bool) -> str:
        """Return the element types of a tensor, as a type."""
        listed = self._lists.of(tensor, is_output=is_output)
        has_several = len(self._types.elements(tensor, is_output=is_output)) > 1
        return f"points::own<{type_}, {listed}>" if is_own and has_several else listed
