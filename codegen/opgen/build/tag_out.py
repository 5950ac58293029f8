"""Whether a torch compiles a functional op and its out= form where ``Tag.out`` pairs them: asked of the torch itself."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

_PROBE = Path(__file__).with_name("tag_out_probe.py")


def probe_tag_out(python: str) -> Mapping[str, str]:
    """Return what was tried and what came of it, "ok" or an error; takes a minute, since it compiles."""
    run = subprocess.run(  # noqa: S603 - the interpreter that the user chose, and a file of our own
        [python, str(_PROBE)], capture_output=True, text=True, encoding="utf-8", errors="replace", check=False
    )
    lines = run.stdout.strip().splitlines()
    try:
        return dict(json.loads(lines[-1]))
    except (IndexError, ValueError):
        last = (run.stderr.strip().splitlines() or ["it printed no result"])[-1]
        return {"the probe": f"did not run: {last}"}
