"""How many compilers at a time: as many as there are processors, unless they would not fit into memory."""

from __future__ import annotations

import os
import re
from pathlib import Path

JOBS_VARIABLES = ("OPGEN_JOBS", "MAX_JOBS")
"""Variables of the environment that state the number; torch.utils.cpp_extension reads the second one."""

_STABLE_UNIT = 0.4 * 2**30
"""Bytes that g++ takes for a unit on the stable ABI: 0.17 GiB, and as much again for a large kernel."""

_CLASSIC_UNIT = 1.0 * 2**30
"""The same with ATen's headers: 0.55 GiB."""


def default_jobs(*, classic: bool) -> int:
    """Return the number that is stated, else that for this machine, or for the container that it is; at least 1.

    A launcher that compiles elsewhere can do with more: say so by ``--jobs``.
    """
    for stated in filter(None, map(os.environ.get, JOBS_VARIABLES)):
        if stated.isdigit() and int(stated):
            return int(stated)
    fitting = _memory() / (_CLASSIC_UNIT if classic else _STABLE_UNIT)
    return max(1, int(min(_processors(), fitting)))


def _processors() -> int:
    """Count those that this process may use: ``taskset`` and a container's share of time limit them."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # https://docs.kernel.org/admin-guide/cgroup-v2.html, "cpu.max": time and period in microseconds, or "max".
    if match := re.match(r"(\d+) (\d+)", _read("/sys/fs/cgroup/cpu.max")):
        count = min(count, max(1, int(match[1]) // int(match[2])))
    return count


def _memory() -> float:
    """Return the bytes that can be had; unlimited where that can't be read."""
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
