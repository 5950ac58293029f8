"""One line of the table: what is measured, beside what, and what is wanted of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.process import Cost

Measure = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Plan:
    """How the rows of a run are measured.

    Attributes:
        folder: an empty one, of the row alone.
        runs: how often each side is measured.
        processor: whether seconds are those of the processor: where others compute beside.
        tiny: whether inputs are so small that the figures mean nothing: for tests.
    """

    folder: Path
    runs: int = 5
    processor: bool = False
    tiny: bool = False

    def seconds(self, cost: Cost) -> float:
        """Return the time that counts."""
        return cost.processor if self.processor else cost.seconds


@dataclass(frozen=True, slots=True)
class Comparison:
    """Figures of both sides, in one unit; less is better.

    Attributes:
        what: the line's name.
        ours: what is measured of opgen.
        peer: beside what.
        unit: of the figures.
        our_runs: a figure a run.
        peer_runs: likewise, measured in turns with ours.
        wanted: the largest ratio of ours to the peer's that is good.
    """

    what: str
    ours: str
    peer: str
    unit: str
    our_runs: tuple[float, ...]
    peer_runs: tuple[float, ...]
    wanted: float

    @property
    def ratio(self) -> float:
        """Of the medians."""
        return median(self.our_runs) / median(self.peer_runs)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the largest ratio that one run of ours may have had to one of the peer's."""
        return min(self.our_runs) / max(self.peer_runs), max(self.our_runs) / min(self.peer_runs)

    @property
    def reached(self) -> bool:
        """Whether the ratio is as good as wanted."""
        return self.ratio <= self.wanted


@dataclass(frozen=True, slots=True)
class Row:
    """What a module of ``rows`` measures.

    Attributes:
        name: as it is asked for on the command line.
        measure: yields lines of the table.
        is_long: whether it takes minutes, and so is measured only when asked for.
        is_apart: whether it is a table of its own, and so is measured only by its name.
    """

    name: str
    measure: Callable[[Plan], Iterator[Comparison]]
    is_long: bool = False
    is_apart: bool = False


def in_turns(ours: Measure, peer: Measure, runs: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Measure both sides in turns, so that whatever else the machine does meets both; a first turn is not counted."""
    ours(), peer()
    pairs = [(ours(), peer()) for _ in range(runs)]
    return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
