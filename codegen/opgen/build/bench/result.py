"""The measurements of ops, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from statistics import median, quantiles
from typing import Any

from opgen.build.table import Cell, lay_out
from opgen.records import dataclass
from opgen.words import counted

_HEAD = ("op", "mode", "opgen", "by hand", "ratio", "of half of all turns", "Python functions")


@dataclass(frozen=True, slots=True)
class Figures:
    """The times of both sides in one mode, one for each turn, in microseconds for a call.

    Attributes:
        ours: the times of the op.
        by_hand: the times of the hand-registered op, in the same turns.
        python: the Python functions that only a call of the op runs, as ``FILE:NAME``.
    """

    ours: tuple[float, ...]
    by_hand: tuple[float, ...]
    python: tuple[str, ...] = ()

    @property
    def ratios(self) -> list[float]:
        """The ratio in each turn; whatever slows the machine down affects both sides of a turn."""
        return [ours / theirs for ours, theirs in zip(self.ours, self.by_hand, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """The first and third quartile of the ratios."""
        low, _, high = quantiles(self.ratios, n=4) if len(self.ratios) > 1 else [self.ratio] * 3
        return low, high


@dataclass(frozen=True, slots=True)
class Result:
    """One op.

    Attributes:
        op: the qualified name.
        modes: ``no_grad`` and ``grad`` -> figures.
        sample: the arguments of the calls, for display.
        problem: the reason why there are no figures, else empty.
        is_broken: whether that reason is a fault of the library.
    """

    op: str
    modes: Mapping[str, Figures] = field(default_factory=dict)
    sample: str = ""
    problem: str = ""
    is_broken: bool = False


def render(results: Sequence[Result], *, color: bool = False) -> str:
    """Return the table; ops without figures are listed below it, with the reason."""
    measured = [result for result in results if result.modes]
    rows = (_row(result.op, mode, figures) for result, mode, figures in _figures(measured))
    parts = [lay_out(_HEAD, rows, color=color)] if measured else []
    parts += [f"{result.op} was not measured: {result.problem}\n" for result in results if result.problem]
    if measured:
        parts.append(f"\n{_summary(measured)}\n")
    return "".join(parts)


def as_json(results: Sequence[Result]) -> dict[str, Any]:
    """Return the same as JSON: a record for each op and mode, in microseconds, and the reasons for omitted ops."""
    return {
        "unit": "µs",
        "calls": [
            {
                "op": result.op,
                "mode": mode,
                "sample": result.sample,
                "ours": median(figures.ours),
                "by_hand": median(figures.by_hand),
                "ratio": figures.ratio,
                "spread": figures.spread,
                "python": figures.python,
            }
            for result, mode, figures in _figures(results)
        ],
        "left_out": [{"op": result.op, "reason": result.problem} for result in results if result.problem],
    }


def _figures(results: Sequence[Result]) -> Iterator[tuple[Result, str, Figures]]:
    return ((result, mode, figures) for result in results for mode, figures in result.modes.items())


def _row(op: str, mode: str, figures: Figures) -> list[Cell]:
    low, high = figures.spread
    texts = (
        op,
        mode,
        f"{median(figures.ours):.2f} µs",
        f"{median(figures.by_hand):.2f} µs",
        f"{figures.ratio:.2f}x",
        f"{low:.2f} to {high:.2f}",
        str(len(figures.python)),
    )
    return [Cell(text) for text in texts]


def _summary(measured: Sequence[Result]) -> str:
    """Return the sentence on how many ops are called without Python, and which generated functions others run."""
    running = [result.op for result in measured if any(figures.python for figures in result.modes.values())]
    words = f"{counted(len(measured), 'op')} beside the same kernels registered by hand, without checks, versions or gradients"
    if not running:
        return f"{words}; no call runs Python"
    return f"{words}; Python runs in calls of {', '.join(running)}, for their gradients"
