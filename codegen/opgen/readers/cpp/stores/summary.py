"""Which parameters a function writes, itself or through what it calls: the bodies of a run, joined to a fixpoint."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from opgen.readers.cpp.file import File
from opgen.readers.cpp.macros import Macro
from opgen.readers.cpp.region import Region
from opgen.readers.cpp.stores.definitions import Definition, Definitions
from opgen.readers.cpp.stores.kinds import Kind, kind_of
from opgen.readers.cpp.stores.known import written_by
from opgen.readers.cpp.stores.walk import Body, Handed, body
from opgen.readers.registrations import Function, Parameter
from opgen.records import dataclass
from opgen.source import Location, Source, Text

MOST_NESTED = 8
"""Functions that return what others return are followed so far."""
_BOUND = {
    Kind.POINTER: frozenset({Kind.POINTER, Kind.VALUE, Kind.READ_ONLY, Kind.REFERENCE}),
    Kind.TENSOR: frozenset({Kind.TENSOR, Kind.VALUE, Kind.REFERENCE}),
    Kind.LIST: frozenset({Kind.LIST, Kind.VALUE, Kind.REFERENCE}),
    Kind.ACCESSOR: frozenset({Kind.ACCESSOR, Kind.VALUE, Kind.READ_ONLY, Kind.REFERENCE}),
}
"""Which parameters an argument may be bound to: an overload that has another is not the one that is called."""
_THROUGH = {
    Kind.POINTER: frozenset({Kind.POINTER, Kind.VALUE}),
    Kind.TENSOR: frozenset({Kind.TENSOR, Kind.VALUE}),
    Kind.LIST: frozenset({Kind.LIST, Kind.VALUE}),
    Kind.ACCESSOR: frozenset({Kind.ACCESSOR, Kind.VALUE}),
    Kind.REFERENCE: frozenset({Kind.REFERENCE}),
    Kind.VALUE: frozenset({Kind.POINTER, Kind.TENSOR, Kind.LIST, Kind.ACCESSOR, Kind.VALUE}),
}
"""Through which of them it is the same memory."""


@dataclass(frozen=True)
class Written:
    """How a parameter is written.

    Attributes:
        location: the store, or the call of the function that it is handed to.
        by: that function, empty of a store.
        store: where that function, or one that it calls, stores.
        is_certain: whether each function that the name of a call may mean writes it.
    """

    location: Location
    by: str
    store: Location
    is_certain: bool


_Key: TypeAlias = "Definition | tuple[Location, frozenset[int]]"
"""Whose body it is: of a registered function only some parameters are asked for."""
_Unread: TypeAlias = "tuple[_Key, Text, tuple[Parameter, ...], Region, tuple[str, ...]]"
"""A body: whose it is, its text, the parameters, and where it stands."""


@dataclass(eq=False)
class _Node:
    """A function in the graph of calls; ``written`` grows until nothing is left to add."""

    stores: dict[int, Location]
    calls: list[tuple[Handed, tuple[Definition, ...]]] = field(default_factory=list)
    written: dict[int, Written] = field(default_factory=dict)
    callers: list[_Node] = field(default_factory=list)


class Stores:
    """What the functions of a run write; a body is read when something asks for it, or for a function that calls it."""

    def __init__(self, files: Sequence[File], macros: Mapping[Source, Mapping[str, Macro]]) -> None:
        self._definitions = Definitions(files, macros)
        self._nodes: dict[_Key, _Node] = {}
        self._bodies: dict[Definition, Body] = {}
        self._depth = 0

    def of(self, function: Function, wanted: Collection[int]) -> Mapping[int, Written]:
        """Return which of some parameters a registered function writes, by their places; of one of another run nothing."""
        place = self._definitions.place_of(function)
        if place is None or function.body is None or not wanted:
            return {}
        key = (function.location, frozenset(wanted))
        if key not in self._nodes:
            made: list[_Node] = []
            waiting: list[_Unread] = [(key, function.body, function.parameters or (), *place)]
            while waiting:
                unread = waiting.pop()
                if unread[0] not in self._nodes:
                    node, called = self._read(unread)
                    self._nodes[unread[0]] = node
                    made.append(node)
                    waiting += called
            self._settle(made)
        return self._nodes[key].written

    def _read(self, unread: _Unread) -> tuple[_Node, list[_Unread]]:
        """Read a body, and list what it calls."""
        key, _, _, region, scope = unread
        read = self._body(key) if isinstance(key, Definition) else self._parsed(unread, key[1])
        node = _Node(read.stores)
        called: dict[Definition, None] = {}
        for handed in read.handed:
            candidates = self._definitions.called(handed.name, handed.count, region, scope)
            candidates = tuple(one for one in candidates if _may_be_meant(handed, one))
            if not candidates or any(_is_handed_on(handed, one) for one in candidates):
                node.calls.append((handed, candidates))
                called.update(dict.fromkeys(candidates))
        return node, [(one, one.body, one.parameters, one.region, one.scope) for one in called]

    def _body(self, one: Definition) -> Body:
        if one not in self._bodies:
            self._bodies[one] = Body({}, (), None)  # while it is read: a function that returns what it returns itself
            self._bodies[one] = self._parsed((one, one.body, one.parameters, one.region, one.scope))
        return self._bodies[one]

    def _parsed(self, unread: _Unread, wanted: Collection[int] | None = None) -> Body:
        _, text, parameters, region, scope = unread

        def returned(name: str, count: int) -> int | None:
            return self._returned(self._definitions.called(name, count, region, scope))

        asked_for = range(len(parameters)) if wanted is None else wanted
        return body(self._definitions.parsed(text), parameters, asked_for, returned)

    def _returned(self, candidates: tuple[Definition, ...]) -> int | None:
        """Say which argument's memory all of some functions return a pointer to."""
        # Beside an overload that returns a pointer to const, what is stored through is what the other returns.
        pointing = [one for one in candidates if kind_of(one.result) is Kind.POINTER]
        if self._depth == MOST_NESTED or any(
            kind_of(one.result) is not Kind.READ_ONLY for one in candidates if one not in pointing
        ):
            return None
        self._depth += 1
        found = {self._body(one).returns for one in pointing}
        self._depth -= 1
        return next(iter(found)) if len(found) == 1 else None

    def _settle(self, made: Sequence[_Node]) -> None:
        """Join what functions write with what those do that they call, until nothing changes."""
        for node in made:
            for callee in {one for _, candidates in node.calls for one in candidates}:
                self._nodes[callee].callers.append(node)
        waiting = list(made)
        while waiting:
            node = waiting.pop()
            if self._join(node):
                waiting += node.callers

    def _join(self, node: _Node) -> bool:
        """Take over what is known of the functions that a function calls; say whether that is more than before."""
        found = {index: Written(place, "", place, is_certain=True) for index, place in node.stores.items()}
        for handed, candidates in node.calls:
            for place, given in handed.given.items():
                if (written := self._written(handed, place, candidates)) is not None:
                    unknown = (one for one in given.owners if one not in found or not found[one].is_certain)
                    found.update(
                        dict.fromkeys([one for one in unknown if written.is_certain or one not in found], written)
                    )
        grade = {index: one.is_certain for index, one in found.items()}
        before = {index: one.is_certain for index, one in node.written.items()}
        node.written = found
        return grade != before

    def _written(self, handed: Handed, place: int, candidates: tuple[Definition, ...]) -> Written | None:
        kind = handed.given[place].kind
        if not candidates:
            parts = handed.name.partition("<")[0].split("::")
            is_known = written_by("::".join(parts), parts[-1], handed.count) == place
            return Written(handed.location, parts[-1], handed.location, is_certain=True) if is_known else None
        found = [
            self._nodes[one].written.get(place)
            if place < len(one.kinds) and one.kinds[place] in _THROUGH[kind]
            else None
            for one in candidates
        ]
        first = next((one for one in found if one is not None), None)
        if first is None:
            return None
        is_certain = all(one is not None and one.is_certain for one in found)
        return Written(handed.location, candidates[0].name[-1], first.store, is_certain)


def _is_handed_on(handed: Handed, one: Definition) -> bool:
    """Whether a function may write any of what it is given."""
    places = ((place, given) for place, given in handed.given.items() if place < len(one.kinds))
    return any(one.kinds[place] in _THROUGH[given.kind] for place, given in places)


def _may_be_meant(handed: Handed, one: Definition) -> bool:
    """Whether a function takes the kinds of things that it is given, as far as the call says."""
    for place, given in handed.given.items():
        if place < len(one.kinds) and one.kinds[place] not in _BOUND.get(given.kind, one.kinds):
            return False
    return True
