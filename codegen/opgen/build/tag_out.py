"""Finds out, by trying, whether a torch can compile a functional op and its out= form that ``Tag.out`` pairs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

_PROBE = Path(__file__).with_name("tag_out_probe.py")


def probe_tag_out(python: str) -> Mapping[str, str]:
    """Return each attempt with its result, "ok" or an error. Takes about a minute, since it compiles."""
    run = subprocess.run(  # noqa: S603 - the user's interpreter runs a file of opgen
        [python, str(_PROBE)], capture_output=True, text=True, encoding="utf-8", errors="replace", check=False
    )
    lines = run.stdout.strip().splitlines()
    try:
        return dict(json.loads(lines[-1]))
    except (IndexError, ValueError):
        last = (run.stderr.strip().splitlines() or ["it printed no result"])[-1]
        return {"the probe": f"did not run: {last}"}
