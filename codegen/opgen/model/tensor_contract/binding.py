"""Makes the steps that bind each size once, and check it at all other dims where it occurs.

The order of the arguments never matters. Tensors that are always given bind first, then the optional ones. In either
group bare names bind first, then dims that are linear in one unknown with a number as factor, ``2*n``; lists come after
single tensors, destinations and scratch after all others, so that messages blame a wrong destination and not the
inputs. Then come dims whose factor is a size, ``heads*head_size``, which might be 0, and last names that only a stride
binds. All remaining dims are checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import groupby

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.alternatives import Alternatives
from opgen.model.tensor_contract.entries import Entry, shared
from opgen.model.tensor_contract.expressions import Expressions
from opgen.model.tensor_contract.forms import check_forms
from opgen.model.tensor_contract.guards import Guard
from opgen.model.tensor_contract.layouts import stated_strides
from opgen.model.tensor_contract.linear import linear_in, names_in
from opgen.model.tensor_contract.packs import resolve_pack
from opgen.model.tensor_contract.scope import MOST_COMPARED, Scope, Version
from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
    CheckPack,
    CheckSize,
    PackExtent,
    SolveSize,
    Step,
)
from opgen.records import dataclass
from opgen.spec.dtypes import DTYPES
from opgen.spec.expression import Constant, Expression, Name
from opgen.spec.report import Report
from opgen.spec.tensor_spec import DimBroadcast, DimPack, DimSize


@dataclass(frozen=True, slots=True)
class _Place:
    """A dim of an input that is an expression, ``size``, as its author wrote it in ``written``."""

    entry: Entry
    dim: int
    size: Expression
    written: str


_Candidate = tuple[_Place, str, Expression | None, Expression]
"""A dim, the name that it can bind, and offset and factor in ``offset + factor * name``."""


def _stage(entry: Entry) -> tuple[bool, bool, str]:
    """Return the sort key of an entry: destinations last, lists late, since they may be empty; branches by tensor."""
    return entry.is_result, entry.each, entry.tensor if entry.guard.when else ""


def _place_key(place: _Place) -> tuple[bool, str, int]:
    return place.entry.each, place.entry.tensor, place.dim


@dataclass
class Binder:
    """Makes the binding and checking steps for the sizes of one op.

    Attributes:
        scope: the names bound so far.
        report: collects the mistakes.
        inputs: the entries of tensor arguments.
        binds: the steps that bind names.
        checks: the steps that check dims.
    """

    scope: Scope
    report: Report
    inputs: Sequence[Entry]
    binds: list[Step] = field(default_factory=list)
    checks: list[Step] = field(default_factory=list)
    _bound: set[tuple[str, Guard, int]] = field(default_factory=set)
    """The dims, and the packs, that have bound a name, so that they need no check."""

    def run(self) -> None:
        """Fill ``binds`` and ``checks``, and the scope."""
        usable = check_forms(shared(self.inputs, lambda entry: entry.spec.shapes), self.scope, self.report)
        sure = [entry for entry in usable if not entry.has_gaps]
        for group in ([e for e in sure if not e.everywhere.guard], [e for e in sure if e.everywhere.guard]):
            for _, part in groupby(sorted(group, key=_stage), key=_stage):
                entries = list(part)
                for entry in entries:
                    self._bind_bare(entry)
                self._solve(entries, by_numbers=True)
            self._solve(group, by_numbers=False)
            for entry in group:
                self._bind_strides(entry)
        for entry in usable:
            self._check(entry)

    # --- binding ------------------------------------------------------------------------------------------------------
    def _bind_bare(self, entry: Entry) -> None:
        for place, dim in enumerate(entry.dims):
            step: BindSize | BindPack
            match dim:
                case DimSize(Name(name)) if self.scope.version(name, entry.needs) is None:
                    step = BindSize(self._bind(name, entry).name, entry.tensor, entry.index(place))
                case DimPack(name) if self.scope.version(name, entry.needs) is None:
                    self.scope.packs.add(name)
                    version = self._bind(name, entry)
                    self.scope.packs.add(version.name)
                    step = BindPack(version.name, entry.tensor, place, len(entry.dims) - place - 1)
                case _:
                    continue
            self._bound.add((entry.tensor, entry.guard, entry.index(place)))
            self.binds.append(entry.guard.step(step, each=entry.each))

    def _bind_strides(self, entry: Entry) -> None:
        """Bind names that stand for a stride and not for a size."""
        for dim, stride in stated_strides(entry):
            match stride:
                case Name(name) if name not in self.scope.sizes and name not in self.scope.arguments:
                    step = BindSize(self._bind(name, entry).name, entry.tensor, dim, "stride")
                    self.scope.bound_strides.add((entry.tensor, dim))
                    self.binds.append(entry.guard.step(step, each=entry.each))

    def _bind(self, name: str, entry: Entry) -> Version:
        """Enter a version of a name; if every branch of a tensor binds it, it is known whenever the tensor is given."""
        version = self.scope.bind(name, entry.guard, entry.tensor)
        branches = self._guards.get(entry.tensor, frozenset())
        if entry.guard in branches:
            self.scope.merge(name, entry.tensor, branches, entry.everywhere.guard)
        return version

    @cached_property
    def _guards(self) -> Mapping[str, AbstractSet[Guard]]:
        """Where the branches of each tensor hold."""
        found: dict[str, set[Guard]] = {}
        for entry in self.inputs:
            found.setdefault(entry.tensor, set()).add(entry.guard)
        return found

    def _unknown(self, place: _Place) -> list[str]:
        """Return the names in a dim that are still unbound when its tensor is given."""
        return [name for name in self._size_names(place) if self.scope.version(name, place.entry.needs) is None]

    def _size_names(self, place: _Place) -> Iterator[str]:
        """Yield the names in a dim that can only be sizes, each once."""
        scope = self.scope
        for name in dict.fromkeys(names_in(place.size)):
            is_size = name not in scope.arguments or name in scope.sizes
            if is_size and name not in scope.broken and name not in DTYPES:
                yield name

    def _solve(self, entries: Sequence[Entry], *, by_numbers: bool) -> None:
        """Bind names by dims that are linear in them, until no such dim is left."""
        places = [place for entry in entries for place in _places(entry)]
        having: dict[str, list[int]] = {}
        for number, place in enumerate(places):
            for name in self._size_names(place):
                having.setdefault(name, []).append(number)
        # The numbers of dims that may have one unknown, the first to solve in front.
        waiting = [(_place_key(place), number) for number, place in enumerate(places)]
        heapify(waiting)
        while waiting:
            _, number = heappop(waiting)
            candidate = next(self._candidates(places[number], by_numbers=by_numbers), None)
            if candidate is None:
                continue
            place, name, offset, factor = candidate
            entry = place.entry
            expressions = Expressions(self.scope, self.report, entry.text)
            offset = offset and expressions.size(offset, entry.needs)
            factor = expressions.size(factor, entry.needs)
            version = self._bind(name, entry)
            check = SolveSize(version.name, entry.tensor, place.dim, offset, factor, place.written)
            self._bound.add((entry.tensor, entry.guard, place.dim))
            self.binds.append(entry.guard.step(check, each=entry.each))
            for number in having.get(name, ()):
                heappush(waiting, (_place_key(places[number]), number))

    def _candidates(self, place: _Place, *, by_numbers: bool) -> Iterator[_Candidate]:
        unknown = self._unknown(place)
        if len(unknown) == 1:
            offset, factor = linear_in(place.size, unknown[0]) or (None, None)
            is_number = isinstance(factor, Constant)
            if factor is not None and factor != Constant(0) and (is_number or not by_numbers):
                yield place, unknown[0], offset, factor

    # --- checking -----------------------------------------------------------------------------------------------------
    def _check(self, entry: Entry) -> None:
        for place in _places(entry):
            unknown = [name for name in self._size_names(place) if name not in self.scope.sizes]
            if unknown:
                self._refuse_unsolvable(place, unknown)
                self.scope.broken.update(unknown)
            elif (entry.tensor, entry.guard, place.dim) in self._bound and not entry.each:
                for name in self._size_names(place):
                    for scope, guard in self._other_versions(name, entry):
                        self._check_size(place, scope, guard)
            elif not entry.has_alternatives:
                self._check_size(place, self.scope, entry.guard)
        self._check_run(entry)
        if entry.has_alternatives and (check := Alternatives(self.scope, self.report).check(entry)):
            self.checks.append(entry.guard.step(check, each=entry.each))

    def _check_size(self, place: _Place, scope: Scope, guard: Guard) -> None:
        entry = place.entry
        size = Expressions(scope, self.report, entry.text).size(place.size, guard.facts)
        check = CheckSize(entry.tensor, place.dim, size, place.written)
        self.checks.append(guard.step(check, each=entry.each))

    def _other_versions(self, name: str, entry: Entry) -> Iterator[tuple[Scope, Guard]]:
        """Yield the versions of a name bound before that of a tensor; if a call binds both, they must be equal."""
        used = self.scope.version(name, entry.needs)
        for other in self.scope.sizes.get(name, [])[:MOST_COMPARED]:
            guard = entry.guard | other.guard
            if other.by == entry.tensor or (other is used and not self._binds(name, entry)):
                return
            if guard.is_possible:
                yield replace(self.scope, sizes={**self.scope.sizes, name: [other]}), guard

    def _binds(self, name: str, entry: Entry) -> bool:
        return any(version.by == entry.tensor for version in self.scope.sizes.get(name, []))

    def _refuse_unsolvable(self, place: _Place, unknown: list[str]) -> None:
        entry, span = place.entry, place.size.span
        names = " and ".join(f"'{name}'" for name in unknown)
        if entry.has_gaps:
            message = f"'{entry.key}': an element may be None, so that nothing is sure to know {names}"
            remedy = f"let a dim of another tensor be '{unknown[0]}'"
        elif len(unknown) > 1:
            message = f"'{entry.key}': '{place.written}' cannot be solved for {names} at once"
            remedy = f"let another dim be '{unknown[0]}' alone, or make it an int argument"
        else:
            name = unknown[0]
            message = f"'{entry.key}': '{place.written}' cannot be solved for {names}"
            remedy = f"let another dim be '{name}' alone; or name this dim by itself and write the dim that holds '{name}' as a multiple of it"
        self.report.add(codes.UNSOLVABLE, message, entry.place(span), remedy)

    def _check_run(self, entry: Entry) -> None:
        if entry.pack_place is None:
            return
        match entry.dims[entry.pack_place]:
            case DimPack(name, span) if (
                entry.tensor,
                entry.guard,
                entry.index(entry.pack_place),
            ) in self._bound and not entry.each:
                for scope, guard in self._other_versions(name, entry):
                    other = replace(entry, guard=guard)
                    self._check_pack(other, resolve_pack(scope, self.report, other, name, span))
            case DimPack(name, span):
                self._check_pack(entry, resolve_pack(self.scope, self.report, entry, name, span))
            case DimBroadcast(names, span):
                packs = [resolve_pack(self.scope, self.report, entry, name, span) for name in names]
                self._check_pack(entry, BroadcastExtent(tuple(pack.name for pack in packs if pack)))

    def _check_pack(self, entry: Entry, pack: PackExtent | BroadcastExtent | None) -> None:
        if pack is not None and entry.pack_place is not None:
            check = CheckPack(entry.tensor, entry.pack_place, len(entry.dims) - entry.pack_place - 1, pack)
            self.checks.append(entry.guard.step(check, each=entry.each))


def _places(entry: Entry) -> Iterator[_Place]:
    for place, dim in enumerate(entry.dims):
        if isinstance(dim, DimSize):
            yield _Place(entry, entry.index(place), dim.size, entry.written(dim.span))
