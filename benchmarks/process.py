"""Run a process and see what it costs, from its start to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took.

    Attributes:
        seconds: by the clock on the wall.
        processor: seconds that the process and its children computed.
        peak: the most memory that it held, in MiB.
    """

    seconds: float
    processor: float
    peak: float


def run(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None, program: str = sys.executable
) -> Cost:
    """Run Python, or another program, with these arguments; of opgen's own settings only those that are given.

    Raises:
        RuntimeError: the process failed; 1 is no failure: opgen has found something.
    """
    # As an installed package, opgen has its bytecode: the first turn, which isn't counted, may write it.
    unset = ("OPGEN_", "PYTHONDONTWRITEBYTECODE")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - this Python or a compiler, with arguments of this package
        [program, *arguments],
        cwd=folder,
        env={**inherited, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    errors = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1} or b"Traceback" in errors:
        raise RuntimeError(f"{' '.join(arguments)} failed: {errors.decode(errors='replace')}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _BYTES_PER_UNIT / 2**20)


def opgen(*arguments: str) -> list[str]:
    """Return the arguments that run opgen."""
    return ["-m", "opgen", *arguments]
