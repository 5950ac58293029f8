"""Pointwise kernels on a GPU, beside a copy of as many bytes on it: how near they come to its bandwidth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.comparison import Comparison, Line, Missing, Plan, Row
from benchmarks.gpu import why_not
from benchmarks.process import run

_ROOT = Path(__file__).resolve().parents[2]
_KINDS = {"cuda": "CUDA", "triton": "Triton"}
_BANDWIDTH = 0.9
_REDUCE = ("softmax", "rms_norm")


def measure(plan: Plan) -> Iterator[Line]:
    """Measure where there is a GPU, in a process of its own: once, since a figure is the median of thirty calls."""
    if reason := why_not():
        yield Missing("pointwise kernels on a GPU, 1 GiB", reason)
        return
    file = plan.folder / "figures.json"
    run(["-m", "benchmarks.gpu", "--json", str(file)], _ROOT)
    for one in json.loads(file.read_text(encoding="utf-8")):
        copy = (1e6 * one["seconds"]["copy"],)
        for kind, name in _KINDS.items():
            if one["name"] not in _REDUCE:
                what, ours = f"{one['name']}, {one['dtype']}, 1 GiB", (1e6 * one["seconds"][kind],)
                yield Comparison(what, f"opgen, {name}", "copy on the device", "µs", ours, copy, wanted=1 / _BANDWIDTH)


ROW = Row("gpu", measure, is_long=True)
