"""One line of the table: what is measured, beside what, and what is wanted of it."""

from __future__ import annotations

import subprocess
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
        whole: whether libraries are as large as the goals say, also where that takes many minutes.
        processor: whether seconds are those of the processor: where others compute beside.
        tiny: whether inputs are so small that the figures mean nothing: for tests.
    """

    folder: Path
    runs: int = 5
    whole: bool = False
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
    def ratios(self) -> tuple[float, ...]:
        """A ratio a run, of both sides in turn: a slow moment met both. Of a peer that was measured once, all are to it."""
        if len(self.peer_runs) == len(self.our_runs):
            return tuple(ours / peer for ours, peer in zip(self.our_runs, self.peer_runs, strict=True))
        return tuple(ours / median(self.peer_runs) for ours in self.our_runs)

    @property
    def ratio(self) -> float:
        """The median of them."""
        return median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the largest of them."""
        return min(self.ratios), max(self.ratios)

    @property
    def reached(self) -> bool:
        """Whether the ratio is as good as wanted."""
        return self.ratio <= self.wanted


@dataclass(frozen=True, slots=True)
class Missing:
    """A line that has no figures.

    Attributes:
        what: the line's name.
        reason: why this machine can't measure it, or what went wrong.
        failed: whether it is the latter.
    """

    what: str
    reason: str
    failed: bool = False


Line = Comparison | Missing


@dataclass(frozen=True, slots=True)
class Row:
    """What a module of ``rows`` measures.

    Attributes:
        name: as it is asked for on the command line.
        measure: yields lines of the table.
        is_long: whether it takes minutes, and so is measured only when asked for.
        has_long_form: whether ``--long`` measures more of it; only that is written into the page.
        table: which one of ``docs/speed.md`` its lines belong to: that of ``benchmarks/TABLE.json``.
    """

    name: str
    measure: Callable[[Plan], Iterator[Line]]
    is_long: bool = False
    has_long_form: bool = False
    table: str = "figures"

    def lines(self, plan: Plan) -> Iterator[Line]:
        """Measure; a row that fails is a line that says so, and the others are measured all the same."""
        try:
            yield from self.measure(plan)
        except (OSError, RuntimeError, ValueError, subprocess.CalledProcessError) as error:
            yield Missing(self.name, str(error).strip() or type(error).__name__, failed=True)


def in_turns(ours: Measure, peer: Measure, runs: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Measure both sides in turns, so that whatever else the machine does meets both; a first turn is not counted."""
    ours(), peer()
    pairs = [(ours(), peer()) for _ in range(runs)]
    return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
