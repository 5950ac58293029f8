"""Large libraries: ten times the ops take ten times the time, and memory that any machine has."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.comparison import Comparison, Plan, Row
from benchmarks.inputs import library
from benchmarks.process import opgen, run

_GIB = 1024.0  # MiB


def measure(plan: Plan) -> Iterator[Comparison]:
    """Generate a thousand and ten thousand ops, each into an empty folder; once, since it takes minutes."""
    few, many = (5, 50) if plan.tiny else (1_000, 10_000)
    costs = {}
    for ops in (few, many):
        folder = plan.folder / str(ops)
        library(folder, ops)
        costs[ops] = run(opgen("generate"), folder)
    ours = f"opgen generate, {many:,} ops"
    small, large = costs[few], costs[many]
    yield Comparison("generate", ours, f"{few:,} ops", "s", (plan.seconds(large),), (plan.seconds(small),), wanted=11)
    yield Comparison("generate: memory", ours, "1 GiB", "MiB", (large.peak,), (_GIB,), wanted=1)


ROW = Row("generate-many", measure, is_long=True)
