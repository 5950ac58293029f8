"""Runs ``timing.py`` in a separate process, again if a kernel crashes it, and reads its results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.build.bench.result import Figures, Result
from opgen.records import dataclass

_SCRIPT = Path(__file__).with_name("timing.py")
_MARK = "\x1e"  # as in the script, which can't be imported without torch


@dataclass(frozen=True, slots=True)
class Bench:
    """The settings of a measurement.

    Attributes:
        python: the interpreter that has torch.
        root: the folder of the project.
        environment: the variables that the process needs.
        binaries: the binaries with the hand-registered kernels, relative to the project.
        turns: the number of times that each side is timed.
    """

    python: str
    root: Path
    environment: Mapping[str, str]
    binaries: Sequence[str]
    turns: int


def measure(bench: Bench, ops: Sequence[str], on_op: Callable[[str], None]) -> Iterator[Result]:
    """Yield the result of each op, in order; a crash is the result of the op that was being measured."""
    left = list(ops)
    while left:
        started, complaint = False, ""
        for record in _run(bench, left):
            started = True
            if "op" in record:
                left.remove(record["op"])
                yield _result(record)
            complaint = record.get("ended", "")
            if left and not complaint:
                on_op(left[0])
        if left:
            lost = left[:1] if started else left[:]
            yield from (Result(op, problem=complaint or "the process has ended", is_broken=True) for op in lost)
            left = left[len(lost) :]


def _run(bench: Bench, ops: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the records of one process, and ``{"ended": WHY}`` as the last one if it crashed."""
    plan = {"binaries": list(bench.binaries), "ops": list(ops), "turns": bench.turns}
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        subprocess.Popen(  # noqa: S603 - the user's interpreter runs a file of opgen
            [bench.python, str(_SCRIPT), json.dumps(plan)],
            cwd=bench.root,
            env={**os.environ, **bench.environment},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        for line in process.stdout or ():
            if line.startswith(_MARK):
                yield json.loads(line[1:])
        if process.wait() < 0:
            yield {"ended": f"the process was ended by {signal.Signals(-process.returncode).name}"}
        elif process.returncode:
            errors.seek(0)
            yield {"ended": (errors.read().strip().splitlines() or [f"exit status {process.returncode}"])[-1]}


def _result(record: Mapping[str, Any]) -> Result:
    op = record["op"]
    if "modes" not in record:
        return Result(op, problem=record.get("error") or record["problem"], is_broken="error" in record)
    modes = {
        mode: Figures(tuple(found["ours"]), tuple(found["by_hand"]), tuple(found["python"]))
        for mode, found in record["modes"].items()
    }
    return Result(op, modes, record["sample"])
