"""The matrix: what each op has, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from opgen.records import dataclass
from opgen.source import Location


class State(str, Enum):
    """What a fact counts for; the values are what JSON shows."""

    READY = "ready"
    MISSING = "missing"
    OTHER = "other"
    """Counts for nothing: it does not apply, was decided against, or nobody can know."""


class Fact(NamedTuple):
    """One cell: what it counts for, and a word that says what is there."""

    state: State
    text: str


NOTHING = Fact(State.OTHER, "-")

FIRST = ("schema", "fake", "autograd", "autocast", "vmap")
LAST = ("tests", "docs")


def ready(text: str) -> Fact:
    """Say what is there."""
    return Fact(State.READY, text)


def missing(text: str = "missing") -> Fact:
    """Say what is not there and should be."""
    return Fact(State.MISSING, text)


def other(text: str) -> Fact:
    """Say what counts for nothing."""
    return Fact(State.OTHER, text)


@dataclass(frozen=True)
class OpStatus:
    """One op.

    Attributes:
        contract: what it does to its arguments; empty where its schema can't be read.
        facts: by column: those of ``FIRST`` and ``LAST``.
        backends: by dispatch key.
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
        """Yield the cells of an op, one a column."""
        facts = {**op.facts, **op.backends}
        return (facts.get(column, NOTHING) for column in self.columns)

    @cached_property
    def lacking(self) -> Mapping[str, int]:
        """How many ops lack something, by column; columns where none does are left out."""
        rows = [list(self.row(op)) for op in self.ops]
        counts = {
            column: sum(row[index].state is State.MISSING for row in rows) for index, column in enumerate(self.columns)
        }
        return {column: count for column, count in counts.items() if count}

    @property
    def percent(self) -> int:
        """How much of what counts is ready, rounded down; 100 where nothing counts."""
        states = [fact.state for op in self.ops for fact in self.row(op)]
        done, open_ = states.count(State.READY), states.count(State.MISSING)
        return 100 * done // (done + open_) if done + open_ else 100
