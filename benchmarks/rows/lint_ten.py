"""A small library: opgen is at its end before PyTorch would be imported."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.comparison import Comparison, Plan, Row, in_turns
from benchmarks.inputs import TEN_OPS, library
from benchmarks.process import opgen, run


def measure(plan: Plan) -> Iterator[Comparison]:
    """Lint ten ops in a process of its own."""
    library(plan.folder, TEN_OPS)
    cache = {"OPGEN_CACHE_DIR": str(plan.folder / "cache")}

    def cold() -> float:
        return plan.seconds(run(opgen("lint", "--no-cache"), plan.folder))

    def warm() -> float:
        return plan.seconds(run(opgen("lint"), plan.folder, cache))

    def torch() -> float:
        return plan.seconds(run(["-c", "" if plan.tiny else "import torch"], plan.folder))

    what, peer = "lint ten ops", 'python -c "import torch"'
    yield Comparison(what, "opgen lint, no cache", peer, "s", *in_turns(cold, torch, plan.runs), wanted=0.15)
    yield Comparison(f"{what}, unchanged", "opgen lint", peer, "s", *in_turns(warm, torch, plan.runs), wanted=0.15)


ROW = Row("lint-ten", measure)
