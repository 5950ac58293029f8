"""What a kernel does, as a value: what it reads and in which type, what it computes at a point and of a row, in which loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from opgen.model.compute.nodes import Binding, Given, Operand, Program, Scalar, Store, ValueType
from opgen.records import dataclass
from opgen.spec.expression import Expression
from opgen.targets.cpp.expressions.conversions import Conversions, Place, Typed
from opgen.targets.cpp.expressions.primitives import Pass, RowValue
from opgen.targets.cpp.expressions.types import CppType, Key


@dataclass(frozen=True, slots=True)
class Kept:
    """The values of a binding that are kept at all points of a row."""

    name: str


Read: TypeAlias = Operand | Place | Kept
"""What is read at a point: the space has a place for each."""

OfRow: TypeAlias = str | Operand | Place
"""What is the same all along a row: a reduction or what follows from some by its name, an element, a place."""

Outside: TypeAlias = Scalar | Given | Expression
"""What is the same at all points: a scalar argument, whether an argument is there, a size."""


@dataclass(frozen=True, slots=True)
class Point:
    """What is computed at a point.

    Attributes:
        of_row: the values of its row that it uses, each after those that it follows from.
        reads: what it reads, in the order in which it is mentioned.
        bindings: what it computes first, in order.
        values: what comes out, and in which types.
    """

    of_row: tuple[OfRow, ...]
    reads: tuple[Read, ...]
    bindings: tuple[Binding, ...]
    values: tuple[Typed, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """A loop along a row that keeps what a later one reads."""

    kept: Kept
    point: Point


@dataclass(frozen=True, slots=True)
class Reduce:
    """A loop along a row that reduces it."""

    reduction: Pass
    point: Point


@dataclass(frozen=True, slots=True)
class StoreOfRow:
    """What is stored once a row."""

    store: Store
    point: Point


@dataclass(frozen=True, slots=True)
class StoreAtPoints:
    """A loop that stores, along a row if there are rows."""

    stores: tuple[Store, ...]
    point: Point


Loop: TypeAlias = Keep | Reduce | StoreOfRow | StoreAtPoints


@dataclass(frozen=True)
class Plan:
    """What one kernel does.

    Attributes:
        program: whose kernel it is.
        conversions: of its values.
        chosen: the types that are chosen when the kernel is called, in the order in which they are mentioned.
        reads: all that is read and the type that it is read in, in the order in which it is mentioned.
        loads: the operands among that, and what their elements are computed in by themselves.
        outside: what has to be known before any loop, in the same order.
        rows: what is computed of a row from reductions and the like, by its name.
        loops: in order; without rows there is one.
    """

    program: Program
    conversions: Conversions
    chosen: tuple[Key, ...]
    reads: Mapping[Read, CppType]
    loads: Mapping[Operand, ValueType]
    outside: tuple[Outside, ...]
    rows: Mapping[str, RowValue]
    loops: tuple[Loop, ...]


def is_of_row(program: Program, read: Read) -> bool:
    """Whether something that is read is the same along the reduced axes."""
    match read:
        case Operand(_, dims):
            axes = {dim.axis for dim in dims}
        case Place(axis):
            axes = {axis}
        case Kept():
            return False
    return bool(program.reduced) and axes.isdisjoint(program.reduced)
