"""Reductions as the few that loops do: sums, products, extremes, places and truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from opgen.model.compute.nodes import (
    Binary,
    Call,
    Named,
    Number,
    Program,
    Reduction,
    ReductionFunction,
    Select,
    Value,
    ValueType,
)
from opgen.model.compute.value_types import BOOL
from opgen.records import dataclass

_REDUCERS: dict[ReductionFunction, str] = {
    "sum": "Sum",
    "prod": "Prod",
    "max": "Max",
    "min": "Min",
    "argmax": "Argmax",
    "argmin": "Argmin",
    "any": "Any",
    "all": "All",
}
"""The classes of ``points/reductions.h``."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One walk along the reduced axes.

    Attributes:
        name: of what comes out.
        reducer: the class of ``points/reductions.h``.
        value: what is reduced.
        type: of what comes out, and of what is reduced but for ``argmax`` and its like, which compare values as they are.
    """

    name: str
    reducer: str
    value: Value
    type: ValueType

    @property
    def is_place(self) -> bool:
        """Whether what comes out is a place along the reduced axis."""
        return self.reducer.startswith("Arg")

    @property
    def taken(self) -> ValueType:
        """What is reduced."""
        return self.value.type if self.is_place else self.type


@dataclass(frozen=True, slots=True)
class Count:
    """What a result of a pass is divided by: the points of a row, less a correction."""

    of: str
    correction: int
    type: ValueType


@dataclass(frozen=True, slots=True)
class RowValue:
    """A value of each row that follows from passes."""

    name: str
    value: Value | Count
    type: ValueType


Primitive: TypeAlias = Pass | RowValue


def primitives(program: Program, free: Callable[[str], str]) -> tuple[Primitive, ...]:
    """Return the reductions of a program, in an order in which each mentions those before it.

    Args:
        program: whose reductions.
        free: makes a name for what a reduction is made of one that nothing else has.
    """
    return tuple(_Primitives(free).of(program))


class _Primitives:
    def __init__(self, free: Callable[[str], str]) -> None:
        self._free = free
        self._totals: dict[tuple[Value, ValueType], str] = {}

    def of(self, program: Program) -> Iterator[Primitive]:
        for reduction in program.reductions:
            match reduction.function:
                case "mean":
                    yield from self._mean(reduction, reduction.name)
                case "var":
                    yield from self._variance(reduction)
                case "logsumexp":
                    yield from self._logsumexp(reduction)
                case function:
                    yield Pass(reduction.name, _REDUCERS[function], reduction.value, reduction.type)

    def _mean(self, reduction: Reduction, name: str) -> Iterator[Primitive]:
        """A sum over the count, which a later variance of the same value may use as well."""
        key, total = (reduction.value, reduction.type), self._free(f"{name}_sum")
        yield Pass(total, "Sum", reduction.value, reduction.type)
        yield RowValue(name, Count(total, 0, reduction.type), reduction.type)
        self._totals.setdefault(key, name)

    def _variance(self, reduction: Reduction) -> Iterator[Primitive]:
        """In two passes: the squares of differences from the mean, so that a large mean costs no digits."""
        name, type_ = reduction.name, reduction.type
        if (reduction.value, type_) not in self._totals:
            yield from self._mean(reduction, self._free(f"{name}_mean"))
        mean = Named(self._totals[(reduction.value, type_)], type_)
        difference, total = Binary("-", reduction.value, mean, type_), self._free(f"{name}_squares")
        yield Pass(total, "Sum", Call("square", (difference,), type_, type_), type_)
        yield RowValue(name, Count(total, reduction.correction, type_), type_)

    def _logsumexp(self, reduction: Reduction) -> Iterator[Primitive]:
        """log(sum(exp(x - max))) + max; a maximum that is infinite is left out, as in ``torch.logsumexp``."""
        name, type_ = reduction.name, reduction.type
        greatest, finite, total = (Named(self._free(f"{name}_{end}"), type_) for end in ("max", "shift", "sum"))
        zero, is_infinite = Number(0.0, ValueType("float", weak=True)), Call("isinf", (greatest,), type_, BOOL)
        shifted = Binary("-", reduction.value, finite, type_)
        yield Pass(greatest.name, "Max", reduction.value, type_)
        yield RowValue(finite.name, Select(is_infinite, zero, greatest, type_), type_)
        yield Pass(total.name, "Sum", Call("exp", (shifted,), type_, type_), type_)
        yield RowValue(name, Binary("+", Call("log", (total,), type_, type_), finite, type_), type_)
