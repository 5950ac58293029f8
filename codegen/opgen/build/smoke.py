"""Run the generated smoke test in a process of its own, so that a crash of a kernel is a finding and no crash of opgen."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from opgen.records import dataclass

SMOKE_TEST = "generated/tests/smoke.py"

OK = "ok"
"""An op was called, and agrees with its reference."""

CALLED = "called"
"""An op was called; it has no reference."""

SUCCESSES = frozenset({OK, CALLED})

_SANITIZER = re.compile(r"(?<=SUMMARY: ).+|(?<![^\s:])[^\s:]+:\d+:\d+: runtime error: .+")
"""The one sentence of a report by AddressSanitizer and its like, or by UndefinedBehaviorSanitizer."""


@dataclass(frozen=True, slots=True)
class SmokeRun:
    """What came of it.

    Attributes:
        results: op -> dispatch key -> one of ``SUCCESSES`` or what went wrong.
        complaint: why there are no results, else empty.
    """

    results: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    complaint: str = ""


def run_smoke_test(python: str, root: Path, environment: Mapping[str, str]) -> SmokeRun:
    """Call every op once, with the interpreter that the library was built for, and what it needs in its environment."""
    run = subprocess.run(  # noqa: S603 - the interpreter that the user chose, and a file of our own
        [python, SMOKE_TEST],
        cwd=root,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    lines = run.stdout.strip().splitlines()
    try:
        results = json.loads(lines[-1]) if lines else None
    except ValueError:
        results = None
    if isinstance(results, dict):
        return SmokeRun(results)
    if found := _SANITIZER.search(run.stderr):
        return SmokeRun(complaint=f"the smoke test was ended by a sanitizer: {found[0]}")
    if run.returncode < 0:
        return SmokeRun(complaint=f"the smoke test was ended by {signal.Signals(-run.returncode).name}")
    last = (run.stderr.strip().splitlines() or ["it printed no result"])[-1]
    return SmokeRun(complaint=f"the smoke test did not run: {last}")
