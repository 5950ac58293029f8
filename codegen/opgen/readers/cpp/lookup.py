"""Finding the function that a registration names, as C++ would in the simple cases."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import PurePosixPath

from opgen.readers.cpp.functions import function
from opgen.readers.cpp.region import Region
from opgen.readers.cpp.syntax import last_name
from opgen.readers.registrations import Function
from opgen.records import dataclass
from opgen.source import Span

_OPENED = re.compile(r"\b([A-Za-z_]\w*)\s*[(<]")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]{0,200}>\s*)?\(")
_TEMPLATE_ARGUMENTS = re.compile(r"<.*", re.DOTALL)


@dataclass(frozen=True)
class Candidate:
    """A function with its whole name."""

    name: tuple[str, ...]
    function: Function
    is_template: bool = False

    @property
    def path(self) -> str:
        """The file that it stands in."""
        return self.function.location.source.path

    def is_alternative_of(self, other: Candidate) -> bool:
        """Whether both define one function, in branches of which a build takes one."""
        if (self.name, self.path) != (other.name, other.path) or self.function.body is None:
            return False
        return any(mine.excludes(its) for mine in self.function.conditions for its in other.function.conditions)


class Functions:
    """The functions of some sources whose last names are wanted."""

    def __init__(self, wanted: frozenset[str]) -> None:
        self._wanted = wanted
        self._candidates: dict[str, list[Candidate]] = defaultdict(list)
        self._seen: set[tuple[str, int, str]] = set()

    def mentioned_in(self, code: str) -> bool:
        """Whether a text may declare a wanted function: a quick test."""
        return not self._wanted.isdisjoint(_OPENED.findall(code))

    def add(self, region: Region) -> None:
        """Read the wanted functions of a file; a text that another choice of branches had already is read once."""
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
                whole = (*declaration.scope, *_parts(found.name))
                conditions = region.variant.conditions(Span(start, declaration.head_end))
                is_template = text.value.lstrip().startswith("template")
                self._candidates[name].append(Candidate(whole, replace(found, conditions=conditions), is_template))

    def named(self, name: str) -> tuple[Candidate, ...]:
        """Return what was found of a last name, in the order of the sources."""
        return tuple(self._candidates.get(name, ()))

    def find(
        self, name: str, region: Region, at: int, *, types: tuple[str, ...] | None, arity: int | None
    ) -> Function | None:
        """Find a function by the name that stands at an offset of a file.

        Of overloads the one with the parameter ``types`` of a cast is taken, else one with as many parameters as the
        schema has arguments, and a template only by its arguments; definitions go before declarations, near files before far ones.
        """
        scope, parts = region.scope_at(at), _parts(name)
        path = region.text.source.path
        ranked: list[tuple[tuple[int, ...], Candidate]] = []
        for candidate in self._candidates.get(parts[-1], ()) if parts else ():  # an unfinished source may name nothing
            reach = _reach(candidate.name, scope, parts, is_absolute=name.startswith("::"))
            if reach is None and region.may_use_other_namespaces and candidate.name[-len(parts) :] == parts:
                reach = len(scope) + 1
            if reach is None:
                continue
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


def _parts(name: str) -> tuple[str, ...]:
    parts = _TEMPLATE_ARGUMENTS.sub("", name).split("::")
    return tuple(part.strip() for part in parts if part.strip())


def _reach(whole: tuple[str, ...], scope: tuple[str, ...], parts: tuple[str, ...], *, is_absolute: bool) -> int | None:
    """How many namespaces outwards a name is found, or ``None``."""
    for depth in range(0 if is_absolute else len(scope), -1, -1):
        if whole == (*scope[:depth], *parts):
            return len(scope) - depth
    return None


def _distance(one: str, other: str) -> int:
    """How many steps lead from one file to another; 0 for the same."""
    if one == other:
        return 0
    here, there = PurePosixPath(one).parent.parts, PurePosixPath(other).parent.parts
    common = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return 1 + len(here) + len(there) - 2 * common
