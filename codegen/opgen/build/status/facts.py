"""The matrix of ``opgen status``: what each op has, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from opgen.records import dataclass
from opgen.source import Location


class State(str, Enum):
    """The state of a fact; the values of the enum are shown in JSON."""

    READY = "ready"
    MISSING = "missing"
    OTHER = "other"
    """Not counted: it does not apply, was declined explicitly, or isn't known."""


class Fact(NamedTuple):
    """One cell: its state, and a word for it."""

    state: State
    text: str


NOTHING = Fact(State.OTHER, "-")

FIRST = ("schema", "fake", "autograd", "autocast", "vmap")
LAST = ("tests", "docs")


def ready(text: str) -> Fact:
    """Return a fact that counts as ready."""
    return Fact(State.READY, text)


def missing(text: str = "missing") -> Fact:
    """Return a fact that counts as missing."""
    return Fact(State.MISSING, text)


def other(text: str) -> Fact:
    """Return a fact that isn't counted."""
    return Fact(State.OTHER, text)


@dataclass(frozen=True)
class OpStatus:
    """One op.

    Attributes:
        op: the qualified name.
        contract: its contract; empty if its schema can't be read.
        location: the location of its schema.
        facts: column of ``FIRST`` or ``LAST`` -> fact.
        backends: dispatch key -> fact.
    """

    op: str
    contract: str
    location: Location
    facts: Mapping[str, Fact]
    backends: Mapping[str, Fact]


@dataclass(frozen=True)
class Matrix:
    """All ops, sorted by name."""

    ops: tuple[OpStatus, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The dispatch keys that any op has a kernel for."""
        return tuple(sorted({key for op in self.ops for key in op.backends}))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns behind the op's name and contract."""
        return (*FIRST, *self.keys, *LAST)

    def row(self, op: OpStatus) -> Iterator[Fact]:
        """Yield the cells of an op, one for each column."""
        facts = {**op.facts, **op.backends}
        return (facts.get(column, NOTHING) for column in self.columns)

    @cached_property
    def lacking(self) -> Mapping[str, int]:
        """Column -> the number of ops with a missing fact, without columns where nothing is missing."""
        rows = [list(self.row(op)) for op in self.ops]
        counts = {
            column: sum(row[index].state is State.MISSING for row in rows) for index, column in enumerate(self.columns)
        }
        return {column: count for column, count in counts.items() if count}

    @property
    def percent(self) -> int:
        """The percentage of ready facts among those that count, rounded down; 100 if none counts."""
        states = [fact.state for op in self.ops for fact in self.row(op)]
        done, open_ = states.count(State.READY), states.count(State.MISSING)
        return 100 * done // (done + open_) if done + open_ else 100
