"""Runs the generated smoke test in a separate process, so that a crash of a kernel doesn't crash opgen."""

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
"""Result of an op that was called and agrees with its reference."""

CALLED = "called"
"""Result of an op that was called and has no reference."""

SUCCESSES = frozenset({OK, CALLED})

_SANITIZER = re.compile(r"(?<=SUMMARY: ).+|(?<![^\s:])[^\s:]+:\d+:\d+: runtime error: .+")
"""Matches the summary in a report of AddressSanitizer and others, or a message of UndefinedBehaviorSanitizer."""


@dataclass(frozen=True, slots=True)
class SmokeRun:
    """The outcome of a smoke test.

    Attributes:
        results: op -> dispatch key -> one of ``SUCCESSES``, or the error.
        complaint: the reason why there are no results, else empty.
    """

    results: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    complaint: str = ""


def run_smoke_test(python: str, root: Path, environment: Mapping[str, str]) -> SmokeRun:
    """Call every op once, with the interpreter that the library was built for and the variables that it needs."""
    run = subprocess.run(  # noqa: S603 - the user's interpreter runs a generated file
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
