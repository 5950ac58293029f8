"""The functions of the sources that a call may mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf

from opgen.readers.cpp.file import File
from opgen.readers.cpp.functions import function
from opgen.readers.cpp.lookup import parts_of
from opgen.readers.cpp.macros import Macro, expanded
from opgen.readers.cpp.region import Region
from opgen.readers.cpp.scopes import Declaration
from opgen.readers.cpp.stores.kinds import Kind, kind_of, without_arguments
from opgen.readers.cpp.stores.readable import Hiding, hides, readable
from opgen.readers.cpp.syntax import Parsed, parse
from opgen.readers.registrations import Function, Parameter
from opgen.records import dataclass
from opgen.source import Source, Span, Text

_WORD = re.compile(r"[A-Za-z_]\w*")
MOST_EXPANSIONS = 60
"""A macro that a body calls more often launches the same with other arguments of templates."""
MOST_CANDIDATES = 30
"""Of a name that means more functions than that, which one is called is not known."""


@dataclass(frozen=True, eq=False)
class Definition:
    """A function with its body, unread as yet."""

    name: tuple[str, ...]
    scope: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    result: str
    body: Text
    region: Region

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """What its parameters are to a store."""
        return tuple(kind_of(parameter.type) for parameter in self.parameters)

    @property
    def source(self) -> Source:
        """The file that it stands in."""
        return self.body.source

    @cached_property
    def least(self) -> int:
        """How many arguments a call has to give it."""
        return sum(one.default is None and one.kind != "variadic" for one in self.parameters)

    @cached_property
    def most(self) -> float:
        """How many arguments a call may give it."""
        return inf if any(one.kind == "variadic" for one in self.parameters) else len(self.parameters)


class Definitions:
    """All functions of a run that have a body, found by their names when one is asked for."""

    def __init__(self, files: Sequence[File], macros: Mapping[Source, Mapping[str, Macro]]) -> None:
        self._files = files
        self._macros = macros
        self._made: dict[tuple[str, int, str], Definition | None] = {}
        self._found: dict[str, dict[Source, list[Definition]]] = {}

    def called(self, name: str, count: int, region: Region, scope: tuple[str, ...]) -> tuple[Definition, ...]:
        """Return what a call may mean, by its number of arguments: functions of its file before others, near scopes before far."""
        parts = parts_of(without_arguments(name))
        if not parts:
            return ()
        by_file = self._named(parts[-1])
        here = by_file.get(region.text.source)
        groups = ([here] if here else []) + [[one for found in by_file.values() for one in found]]
        for group in groups:
            if len(group) > MOST_CANDIDATES:
                continue
            reached = [
                (distance, one)
                for one in group
                if (distance := _reach(one, parts, region, scope)) is not None and count <= one.most
            ]
            # Without a fit, a declaration elsewhere may give the rest of the parameters their defaults.
            ranked = [pair for pair in reached if pair[1].least <= count] or reached
            if ranked:
                nearest = min(distance for distance, _ in ranked)
                return tuple(one for distance, one in ranked if distance == nearest)
        return ()

    def place_of(self, made: Function) -> tuple[Region, tuple[str, ...]] | None:
        """Return the file that a function stands in, and the scope."""
        file = self._by_source.get(made.location.source)
        if file is None:
            return None
        region = file.regions[0]
        return region, region.scope_at(made.location.span.start)

    def parsed(self, body: Text) -> Parsed:
        """Parse a body, without the macros that hide calls in it."""
        text = body
        if not self._hiding.isdisjoint(_WORD.findall(body.value)):
            text = expanded(body, Hiding(self._macros.get(body.source, {})), MOST_EXPANSIONS)
        return parse(text, readable(text.value))

    @cached_property
    def _hiding(self) -> frozenset[str]:
        """The names of macros of any file that may hide a call: nearly all bodies have none of them."""
        return frozenset(macro.name for file in self._files for macro in file.macros if hides(macro))

    @cached_property
    def _by_source(self) -> Mapping[Source, File]:
        return {file.source: file for file in self._files}

    @cached_property
    def _mentioning(self) -> Mapping[str, list[File]]:
        found: dict[str, list[File]] = defaultdict(list)
        for file in self._files:
            for name in file.opened:
                found[name].append(file)
        return found

    def _named(self, name: str) -> dict[Source, list[Definition]]:
        if name not in self._found:
            found: dict[Source, list[Definition]] = {}
            for file in self._mentioning.get(name, ()):
                made = [self._definition(*one) for one in file.bodies.get(name, ())]
                if wanted := [one for one in made if one is not None and one.name[-1] == name]:
                    found[file.source] = wanted
            self._found[name] = found
        return self._found[name]

    def _definition(self, region: Region, declaration: Declaration) -> Definition | None:
        start, end = declaration.span
        key = (region.text.source.path, start, str(region.variant.number))
        if key not in self._made:
            head = Text(region.text.value[start : declaration.head_end] + "{}", region.text.source, start)
            found = function(head, declaration.head_end - start)
            name = () if found is None else parts_of(without_arguments(found.name))
            self._made[key] = (
                None
                if found is None or not name
                else Definition(
                    name=(*declaration.scope, *name),
                    scope=(*declaration.scope, *name[:-1]),
                    parameters=found.parameters or (),
                    result=found.result,
                    body=region.text.part(Span(declaration.head_end, end)),
                    region=region,
                )
            )
        return self._made[key]


def _reach(one: Definition, parts: tuple[str, ...], region: Region, scope: tuple[str, ...]) -> int | None:
    """Return the number of scopes outwards in which a name is found, ``None`` if it isn't."""
    for depth in range(len(scope), -1, -1):
        if one.name == (*scope[:depth], *parts):
            return len(scope) - depth
    if one.name[-len(parts) :] == parts and (region.may_use_other_namespaces or len(parts) > 1):
        return len(scope) + 1
    return None
