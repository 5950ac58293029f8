"""Finds the function that a registration names, by C++'s name lookup in simple cases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath

from opgen.readers.cpp.functions import function
from opgen.readers.cpp.region import Region
from opgen.readers.cpp.syntax import last_name
from opgen.readers.registrations import Function
from opgen.records import dataclass
from opgen.source import Span

_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]{0,200}>\s*)?\(")
_MOST_OVERLOADS = 32
_MOST_ELSEWHERE = 1000
_TEMPLATE_ARGUMENTS = re.compile(r"<.*", re.DOTALL)


@dataclass(frozen=True)
class Candidate:
    """A function with its fully qualified name."""

    name: tuple[str, ...]
    function: Function
    is_template: bool = False

    @property
    def path(self) -> str:
        """The file that it is in."""
        return self.function.location.source.path

    def is_alternative_of(self, other: Candidate) -> bool:
        """Whether both define the same function in different branches of ``#if``."""
        if (self.name, self.path) != (other.name, other.path) or self.function.body is None:
            return False
        return any(mine.excludes(its) for mine in self.function.conditions for its in other.function.conditions)


class Functions:
    """The functions in some sources, but only those whose unqualified name is wanted."""

    def __init__(self, wanted: frozenset[str]) -> None:
        self._wanted = wanted
        self._candidates: dict[str, list[Candidate]] = defaultdict(list)
        self._named: dict[tuple[str, ...], dict[str, list[Candidate]]] = {}
        self._ending: dict[tuple[str, ...], dict[str, list[Candidate]]] = {}
        self._seen: set[tuple[str, int, str]] = set()

    def mentioned_in(self, opened: frozenset[str]) -> bool:
        """Whether a text with these names in front of a bracket may declare a wanted function; a quick test."""
        return not self._wanted.isdisjoint(opened)

    def add(self, region: Region) -> None:
        """Add the wanted functions of a file; the same text in several variants of the file is read once."""
        for declaration in region.declarations:
            start, end = declaration.span
            if self._wanted.isdisjoint(_CALL.findall(region.code, start, declaration.head_end)):
                continue
            text = region.text.part(Span(start, end))
            key = (region.text.source.path, start, text.value)
            if key in self._seen:
                continue
            self._seen.add(key)
            found = function(text, declaration.head_end - start)
            if found is not None and (name := last_name(found.name)) in self._wanted:
                whole = (*declaration.scope, *parts_of(found.name))
                conditions = region.variant.conditions(Span(start, declaration.head_end))
                is_template = text.value.lstrip().startswith("template")
                candidate = Candidate(whole, replace(found, conditions=conditions), is_template)
                self._candidates[name].append(candidate)
                self._enter(candidate)

    def _enter(self, candidate: Candidate) -> None:
        """Note a function by its whole name, and by all that this ends in."""
        whole, path = candidate.name, candidate.path
        self._named.setdefault(whole, {}).setdefault(path, []).append(candidate)
        for place in range(len(whole)):
            self._ending.setdefault(whole[place:], {}).setdefault(path, []).append(candidate)

    def _reached(
        self, scope: tuple[str, ...], parts: tuple[str, ...], region: Region, *, is_absolute: bool
    ) -> Iterator[tuple[int, Candidate]]:
        """Yield the functions that a name may mean in a scope, and how many namespaces outwards each is found."""
        path, seen = region.text.source.path, set[int]()
        for depth in range(0 if is_absolute else len(scope), -1, -1):
            for candidate in _nearby(self._named.get((*scope[:depth], *parts), {}), path):
                seen.add(id(candidate))
                yield len(scope) - depth, candidate
        if region.may_use_other_namespaces:
            for candidate in _nearby(self._ending.get(parts, {}), path):
                if id(candidate) not in seen:
                    yield len(scope) + 1, candidate

    def named(self, name: str) -> tuple[Candidate, ...]:
        """Return the functions with an unqualified name, in the order of the sources."""
        return tuple(self._candidates.get(name, ()))

    def find(
        self, name: str, region: Region, at: int, *, types: tuple[str, ...] | None, arity: int | None
    ) -> Function | None:
        """Find a function by a name that is written at an offset of a file; ``None`` if there is none.

        Among overloads the one with the parameter ``types`` of a cast is taken, or else one with ``arity`` parameters, the
        number of the schema's arguments; a template only if its arguments are written. Definitions take precedence over
        declarations, near files over far ones.
        """
        scope, parts = region.scope_at(at), parts_of(name)
        path = region.text.source.path
        if not parts:  # an unfinished source may name nothing
            return None
        ranked: list[tuple[tuple[int, ...], Candidate]] = []
        for reach, candidate in self._reached(scope, parts, region, is_absolute=name.startswith("::")):
            listed = candidate.function.parameters or ()
            misfit = types is not None and tuple(one.type for one in listed) != types
            misfit = misfit or (types is None and arity is not None and len(listed) != arity)
            misfit = misfit or (candidate.is_template and not name.endswith(">"))
            is_bare = candidate.function.body is None
            ranked.append(((misfit, reach, is_bare, _distance(path, candidate.path)), candidate))
        if not ranked:
            return None
        best = min(ranked, key=lambda pair: pair[0])[1]
        others = (candidate for _, candidate in ranked if candidate.is_alternative_of(best))
        return replace(best.function, name=name, alternatives=tuple(replace(one.function, name=name) for one in others))


def parts_of(name: str) -> tuple[str, ...]:
    """Split a name into its scopes and its own, without arguments of templates."""
    parts = _TEMPLATE_ARGUMENTS.sub("", name).split("::")
    return tuple(part.strip() for part in parts if part.strip())


def _nearby(by_file: Mapping[str, Sequence[Candidate]], path: str) -> Iterator[Candidate]:
    """Yield functions of one name, those of a file first; of hundreds not all: they are compared for each registration."""
    yield from by_file.get(path, ())[:_MOST_OVERLOADS]
    elsewhere = (candidate for file, found in by_file.items() if file != path for candidate in found)
    yield from islice(elsewhere, _MOST_ELSEWHERE)


def _distance(one: str, other: str) -> int:
    """Return the number of path components between two files; 0 for the same file."""
    if one == other:
        return 0
    here, there = PurePosixPath(one).parent.parts, PurePosixPath(other).parent.parts
    common = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return 1 + len(here) + len(there) - 2 * common
