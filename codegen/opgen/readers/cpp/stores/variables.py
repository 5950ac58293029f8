"""The variables of a body, and whose memory each one is."""

from __future__ import annotations

from dataclasses import field

from opgen.readers.cpp.stores.kinds import Kind
from opgen.records import dataclass

DEEPEST = 50
"""Longer chains of names, and deeper expressions, are not followed."""

_NOBODY: frozenset[int] = frozenset()


@dataclass(eq=False)
class Variable:
    """A local variable or a parameter.

    Attributes:
        parameter: its place, ``None`` of a local variable.
        to_pointers: whether it points to pointers.
        values: the memory that it was given, ``None`` for any other.
        calls: of a parameter of a lambda, what calls of it give.
        function: of a variable that stands for a function, ``auto kernel = &scale<float>;``, that name.
        lambda_parameters: of one that is a lambda.
    """

    kind: Kind
    parameter: int | None = None
    to_pointers: bool = False
    values: list[Memory | None] = field(default_factory=list)
    calls: list[Memory] = field(default_factory=list)
    function: str = ""
    lambda_parameters: list[Variable] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Memory:
    """Memory of some variables, of several where an expression chooses; of none that of ``nullptr``."""

    of: frozenset[Variable]
    kind: Kind = Kind.POINTER
    to_pointers: bool = False


class Scopes:
    """The names that are in sight, as a walk through a body goes in and out of scopes."""

    def __init__(self) -> None:
        self._seen: dict[str, list[Variable]] = {}
        self._opened: list[list[str]] = [[]]

    def open(self) -> None:
        """Go into a scope."""
        self._opened.append([])

    def close(self) -> None:
        """Leave a scope, and forget its names."""
        for name in self._opened.pop():
            self._seen[name].pop()

    def declare(self, name: str, variable: Variable) -> None:
        """Name a variable in the current scope."""
        self._seen.setdefault(name, []).append(variable)
        self._opened[-1].append(name)

    def get(self, name: str) -> Variable | None:
        """Return what a name stands for."""
        found = self._seen.get(name)
        return found[-1] if found else None


class Owners:
    """Which parameters' memory a variable always is, once a body was read to its end."""

    def __init__(self) -> None:
        self._known: dict[Variable, frozenset[int]] = {}

    def of(self, variable: Variable, depth: int = 0) -> frozenset[int]:
        """Return the places of the parameters; of a variable that is sometimes other memory, nothing."""
        if variable not in self._known:
            if depth == DEEPEST:
                return _NOBODY
            self._known[variable] = _NOBODY  # while it is sought
            self._known[variable] = self._sought(variable, depth + 1)
        return self._known[variable]

    def _sought(self, variable: Variable, depth: int) -> frozenset[int]:
        found = set() if variable.parameter is None else {frozenset({variable.parameter})}
        given = [self.of(one, depth) for call in variable.calls for one in call.of]
        if given:
            found.add(frozenset().union(*given))
        for value in variable.values:
            if value is None:
                return _NOBODY
            others = [self.of(one, depth) for one in value.of if one is not variable]
            if others:
                found.add(frozenset().union(*others))
        return next(iter(found)) if len(found) == 1 else _NOBODY
