"""The entries of one op, resolved one by one as they are used."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.compute import codes
from opgen.model.compute.entries import Entry, read_entries
from opgen.model.compute.names import Surroundings
from opgen.model.compute.nodes import Binding, Dim, Named, Reduction, Value
from opgen.model.compute.reductions import Reducer
from opgen.model.compute.resolve import Refused, Resolver
from opgen.model.compute.space import Space, repeated, shape_of
from opgen.model.compute.walk import axes_of
from opgen.spec.report import Report


class Draft:
    """A program that is being made.

    Attributes:
        entries: by name.
        values: of all entries of ``pointwise`` and of reductions that are results, by name.
        bindings: what others use by name, each behind those that it uses.
        reductions: likewise.
        varies: the axes along which each binding and each reduction varies.
        target_dims: the dims of the targets that have any.
    """

    def __init__(self, around: Surroundings, report: Report) -> None:
        """Read the entries and the dims of the targets; ``resolve`` does the rest."""
        self.around = around
        self.report = report
        self.entries = read_entries(around, report)
        quiet = Report()
        shapes = {name: shape_of(name, entry, around.place, quiet) for name, entry in around.entries.items()}
        self.space = Space(shape for shape in shapes.values() if shape is not None)
        self.values: dict[str, Value] = {}
        self.bindings: dict[str, Binding] = {}
        self.reductions: dict[str, Reduction] = {}
        self.varies: dict[str, frozenset[str]] = {}
        self.target_dims: dict[str, tuple[Dim, ...]] = {}
        self._failed: set[str] = set()
        self._begun: list[str] = []
        self._resolver = Resolver(around, self.space, report, self._named, self.entries)
        self._reducer = Reducer(around, self.space, report, self._resolver, self.varies)
        for target in around.targets:
            if target in self.entries and (dims := self._dims_of(target)) is not None:
                self.target_dims[target] = dims
        for shape in shapes.values():
            if shape is not None:
                self.space.dims(shape)

    @property
    def reduced(self) -> tuple[str, ...]:
        """The axes that reductions run along, in the order of the space."""
        return tuple(axis.name for axis in self.space.axes if axis.name in self._reducer.reduced)

    def resolve(self) -> None:
        """Resolve every entry."""
        for name in self.entries:
            self._resolved(name)

    def all_values(self) -> Iterator[tuple[str, Value]]:
        """Yield every expression of the program, with the name of its entry."""
        yield from ((name, reduction.value) for name, reduction in self.reductions.items())
        yield from ((name, binding.value) for name, binding in self.bindings.items())
        yield from ((name, value) for name, value in self.values.items() if name not in self.bindings)

    def written_axis(self, name: str) -> str:
        """Return an axis as an author writes it."""
        axis = self.space.by_name[name]
        return f"*{name}" if axis.is_pack else name

    def _named(self, name: str) -> Named | None:
        """Return what an entry is to another one."""
        entry = self.entries.get(name)
        if entry is None:
            return None
        if name in self._begun:
            message = f"'{name}' is defined by itself"
            self.report.add(codes.UNKNOWN_NAME, message, entry.place, "name the value that it had before otherwise")
            self._failed.add(name)
        self._resolved(name)
        if name in self._failed:
            raise Refused
        if name in self.reductions:
            return Named(name, self.reductions[name].type)
        if name not in self.bindings:
            self.bindings[name] = Binding(name, self.values[name])
            if entry.is_target:
                self.values[name] = Named(name, self.values[name].type, entry.expression.span)
        return Named(name, self.bindings[name].value.type)

    def _resolved(self, name: str) -> None:
        """Resolve an entry, once."""
        entry = self.entries[name]
        if name in self.values or name in self._failed:
            return
        self._begun.append(name)
        try:
            self.values[name] = self._reduction(entry) if entry.is_reduction else self._plain(entry)
        except Refused:
            self._failed.add(name)
        self._begun.pop()

    def _plain(self, entry: Entry) -> Value:
        value = self._resolver.resolve(entry.expression, entry.text)
        self.varies[entry.name] = axes_of(value, self.varies)
        return value

    def _reduction(self, entry: Entry) -> Value:
        reduction = self._reducer.reduction(entry)
        self.reductions[entry.name] = reduction
        self.varies[entry.name] = axes_of(reduction.value, self.varies) - self._reducer.reduced
        return Named(entry.name, reduction.type, entry.expression.span)

    def _dims_of(self, target: str) -> tuple[Dim, ...] | None:
        """Return the dims of a target, or say why they can't be used."""
        place = self.entries[target].place
        shape = shape_of(target, self.around.entries.get(target), place, self.report)
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
