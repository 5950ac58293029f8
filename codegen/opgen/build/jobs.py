"""Decides the number of parallel compilers: that of the processors, limited by memory."""

from __future__ import annotations

import os
import re
from pathlib import Path

JOBS_VARIABLES = ("OPGEN_JOBS", "MAX_JOBS")
"""The environment variables that set the number; torch.utils.cpp_extension reads the second one too."""

_STABLE_UNIT = 0.4 * 2**30
"""Bytes of memory that g++ needs for a unit on the stable ABI: 0.17 GiB, with a reserve for large kernels."""

_CLASSIC_UNIT = 1.0 * 2**30
"""Bytes of memory that g++ needs for a unit with ATen's headers: 0.55 GiB, with a reserve for large kernels."""


def default_jobs(*, classic: bool) -> int:
    """Return the number that the environment sets, or else that for this machine or container; at least 1.

    With a launcher that compiles on other machines more may be useful, which ``--jobs`` sets.
    """
    for stated in filter(None, map(os.environ.get, JOBS_VARIABLES)):
        if stated.isdigit() and int(stated):
            return int(stated)
    fitting = _memory() / (_CLASSIC_UNIT if classic else _STABLE_UNIT)
    return max(1, int(min(_processors(), fitting)))


def _processors() -> int:
    """Return the number of processors that this process may use, as limited by ``taskset`` and by cgroups."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # https://docs.kernel.org/admin-guide/cgroup-v2.html, "cpu.max": time and period in microseconds, or "max".
    if match := re.match(r"(\d+) (\d+)", _read("/sys/fs/cgroup/cpu.max")):
        count = min(count, max(1, int(match[1]) // int(match[2])))
    return count


def _memory() -> float:
    """Return the available memory in bytes; infinity if it can't be read."""
    amounts = [float("inf")]
    if match := re.search(r"^MemAvailable:\s+(\d+) kB", _read("/proc/meminfo"), re.MULTILINE):
        amounts.append(int(match[1]) * 1024.0)
    limit, used = (_read(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    if limit.isdigit() and used.isdigit():
        amounts.append(float(int(limit) - int(used)))
    return min(amounts)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii")
    except OSError:
        return ""
