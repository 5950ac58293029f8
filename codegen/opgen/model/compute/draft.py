"""Resolves the entries of ``pointwise`` and ``reduce`` of one op, each when it is first used."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.compute import codes
from opgen.model.compute.entries import Entry, read_entries
from opgen.model.compute.here import Here
from opgen.model.compute.leaves import Leaves
from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.nodes import Binding, Dim, Named, Reduction, Value
from opgen.model.compute.operators import Operators
from opgen.model.compute.reductions import Reducer
from opgen.model.compute.resolve import Resolver
from opgen.model.compute.space import Space, repeated, shape_of
from opgen.model.compute.walk import axes_of
from opgen.spec.report import Report


class Draft:
    """A program under construction.

    Attributes:
        entries: the entries by name.
        values: entry -> its value, for entries of ``pointwise`` and for reductions that are results.
        bindings: the entries that others use by name, each after the ones it uses.
        reductions: the reductions, each after the ones it uses.
        varies: binding or reduction -> the axes along which it varies.
        target_dims: target -> its dims, for targets whose dims can be used.
    """

    def __init__(self, context: ExpressionContext, report: Report) -> None:
        """Read the entries and the dims of the targets; ``resolve`` does the rest."""
        self.context = context
        self.report = report
        self.entries = read_entries(context, report)
        quiet = Report()
        shapes = {name: shape_of(name, entry, context.place, quiet) for name, entry in context.entries.items()}
        self.space = Space(shape for shape in shapes.values() if shape is not None)
        self.values: dict[str, Value] = {}
        self.bindings: dict[str, Binding] = {}
        self.reductions: dict[str, Reduction] = {}
        self.varies: dict[str, frozenset[str]] = {}
        self.target_dims: dict[str, tuple[Dim, ...]] = {}
        self._tried: set[str] = set()
        self._begun: list[str] = []
        here = Here(context, self.space, report)
        self._resolver = Resolver(here, Leaves(here, self._named, self.entries), Operators(here))
        self._reducer = Reducer(self.space, report, self._resolver, self.varies)
        for target in context.targets:
            if target in self.entries and (dims := self._dims_of(target)) is not None:
                self.target_dims[target] = dims
        for shape in shapes.values():
            if shape is not None:
                self.space.dims(shape)

    @property
    def reduced(self) -> tuple[str, ...]:
        """The axes that reductions run along, in the order of the iteration space."""
        return tuple(axis.name for axis in self.space.axes if axis.name in self._reducer.reduced)

    def resolve(self) -> None:
        """Resolve every entry."""
        for name in self.entries:
            self._resolve(name)

    def all_values(self) -> Iterator[tuple[str, Value]]:
        """Yield every expression of the program, with the name of its entry."""
        yield from ((name, reduction.value) for name, reduction in self.reductions.items())
        yield from ((name, binding.value) for name, binding in self.bindings.items())
        yield from ((name, value) for name, value in self.values.items() if name not in self.bindings)

    def _named(self, name: str) -> Named | None:
        """Return the reference to an entry from another one; ``None`` if it has no value, which has been reported."""
        entry = self.entries[name]
        if name in self._begun:
            self.report.add(
                codes.UNKNOWN_NAME, f"'{name}' is defined by itself", entry.place, "give one of them another name"
            )
            return None
        self._resolve(name)
        value = self.values.get(name)
        if value is None:
            return None
        if name not in self.reductions and name not in self.bindings:
            self.bindings[name] = Binding(name, value)
            if entry.is_target:
                self.values[name] = Named(name, value.type, entry.expression.span)
        return Named(name, value.type)

    def _resolve(self, name: str) -> None:
        """Resolve an entry, unless it has been resolved before."""
        if name in self._tried:
            return
        self._tried.add(name)
        self._begun.append(name)
        entry = self.entries[name]
        value = self._reduction(entry) if entry.is_reduction else self._resolver.resolve(entry.expression, entry.text)
        if value is not None:
            self.values[name] = value
            self.varies.setdefault(name, axes_of(value, self.varies))
        self._begun.pop()

    def _reduction(self, entry: Entry) -> Value | None:
        reduction = self._reducer.reduction(entry)
        if reduction is None:
            return None
        self.reductions[entry.name] = reduction
        self.varies[entry.name] = axes_of(reduction.value, self.varies) - self._reducer.reduced
        return Named(entry.name, reduction.type, entry.expression.span)

    def _dims_of(self, target: str) -> tuple[Dim, ...] | None:
        """Return the dims of a target; ``None`` after reporting why they can't be used."""
        place = self.entries[target].place
        shape = shape_of(target, self.context.entries.get(target), place, self.report)
        if shape is None:
            return None
        dims = self.space.dims(shape)
        for axis in repeated(dims):
            message = f"'{target}' has the dim '{axis}' twice"
            self.report.add(codes.DIMS, message, place, "a diagonal is written by a kernel of your own")
            return None
        if self.space.is_part(shape):
            message = f"'{target}' has dims that are broadcast with others elsewhere"
            self.report.add(codes.DIMS, message, place, "give all results the same `*broadcast(…)`")
            return None
        self.space.order(dims)
        return dims
