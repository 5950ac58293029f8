"""The table at the end of a build: the contract of each op, and the status of its kernel for each backend.

It is stored as JSON, so that a build with nothing to do can show it again; so this module imports nothing heavy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from enum import Enum
from pathlib import Path

from opgen.build.smoke import CALLED, OK
from opgen.build.table import Cell, Colour, lay_out
from opgen.records import dataclass
from opgen.words import counted

REPORT_FILE = "report.json"


class Status(str, Enum):
    """The status of one kernel; the values of the enum are shown in the table and the JSON.

    A kernel counts as called, and not as tested, if there is no reference to compare its result with.
    """

    TESTED = "compiled, tested"
    INTERPRETED = "tested"
    CALLED = "compiled, called"
    INTERPRETED_CALLED = "called"
    COMPILED = "compiled, not tested"
    UNTESTED = "not tested"
    NOT_WRITTEN = "not written yet"
    FAILED = "test failed"
    BROKEN = "does not compile"
    NO_NVCC = "left out: no nvcc"
    NO_TRITON = "left out: no triton"


NVCC_SOUGHT = "nvcc was found neither in PATH nor in CUDA_HOME, CUDA_PATH or /usr/local/cuda"

_REACHED: dict[str | None, tuple[Status, Status]] = {
    None: (Status.COMPILED, Status.UNTESTED),
    OK: (Status.TESTED, Status.INTERPRETED),
    CALLED: (Status.CALLED, Status.INTERPRETED_CALLED),
}
"""Result of the smoke test -> the status of a compiled kernel, and of a kernel that isn't compiled."""

_COLOURS: Mapping[Status, Colour] = {
    Status.TESTED: "green",
    Status.INTERPRETED: "green",
    Status.CALLED: "green",
    Status.INTERPRETED_CALLED: "green",
    Status.COMPILED: "yellow",
    Status.UNTESTED: "yellow",
    Status.NOT_WRITTEN: "yellow",
    Status.NO_NVCC: "yellow",
    Status.NO_TRITON: "yellow",
    Status.FAILED: "red",
    Status.BROKEN: "red",
}


_LEFT_OUT: Mapping[Status, str] = {
    Status.NO_NVCC: f"CUDA kernels are left out: {NVCC_SOUGHT}",
    Status.NO_TRITON: "Triton kernels are left out: triton is not installed for this Python",
}
"""Status -> the sentence below the table about a backend that this machine can't build."""


def status_of(result: str | None, *, is_compiled: bool) -> Status:
    """Return the status of a kernel from its result in the smoke test; ``None`` if it has none."""
    compiled, interpreted = _REACHED.get(result, (Status.FAILED, Status.FAILED))
    return compiled if is_compiled else interpreted


@dataclass(frozen=True, slots=True)
class Row:
    """One op.

    Attributes:
        op: the qualified name.
        contract: its contract, ``functional``, ``in-place`` etc.
        backends: dispatch key -> the status of its kernel.
        derived_from: the declared op of a derived op, whose kernels serve it; else empty.
    """

    op: str
    contract: str
    backends: Mapping[str, Status]
    derived_from: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The report on a whole build.

    Attributes:
        rows: one row for each op.
        binary: the paths of the linked binaries; empty if there are none.
        linked: whether the library can be imported.
    """

    rows: tuple[Row, ...]
    binary: str
    linked: bool = True

    def save(self, folder: Path) -> None:
        """Store the report in the work folder."""
        (folder / REPORT_FILE).write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @staticmethod
    def load(folder: Path) -> Report:
        """Read the report that ``save`` stored.

        Raises:
            OSError: there is none.
            ValueError, KeyError, TypeError: it is damaged.
        """
        record = json.loads((folder / REPORT_FILE).read_text(encoding="utf-8"))
        rows = tuple(
            Row(
                row["op"],
                row["contract"],
                {key: Status(value) for key, value in row["backends"].items()},
                row["derived_from"],
            )
            for row in record["rows"]
        )
        return Report(rows, record["binary"], record["linked"])


def render(report: Report, *, color: bool = False) -> str:
    """Return the table as text, coloured with ``color``."""
    keys = sorted({key for row in report.rows for key in row.backends})
    rows = (
        [Cell(row.op), Cell(row.contract), *(_cell(row.backends.get(key)) for key in keys), Cell(_origin(row))]
        for row in report.rows
    )
    table = lay_out(["op", "contract", *keys, ""], rows, color=color)
    found = {status for row in report.rows for status in row.backends.values()}
    sentences = [sentence for status, sentence in _LEFT_OUT.items() if status in found]
    return "\n".join([table, _summary(report), *sentences, ""])


def _origin(row: Row) -> str:
    return f"(from {row.derived_from})" if row.derived_from else ""


def _cell(status: Status | None) -> Cell:
    return Cell(status.value, _COLOURS[status]) if status else Cell("")


def _summary(report: Report) -> str:
    statuses = [status for row in report.rows for status in row.backends.values()]
    counts = {status: statuses.count(status) for status in Status if status in statuses}
    reached = ", ".join(f"{count} {status.value}" for status, count in counts.items())
    kernels = sum(len(row.backends) for row in report.rows if not row.derived_from)
    words = [f"{counted(len(report.rows), 'op')}, {counted(kernels, 'kernel')}"]
    return ": ".join([*words, reached] if reached else words) + (f"; {report.binary}" if report.binary else "")
