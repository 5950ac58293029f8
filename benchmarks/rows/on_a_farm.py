"""A large library, compiled on a build farm, and once more from its cache."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from benchmarks.comparison import Comparison, Line, Missing, Plan, Row
from benchmarks.farm import PROGRAMS, farm
from benchmarks.large_library import build, right_ops, write_library

_OPS, _WHOLE = 40, 1_000


def measure(plan: Plan) -> Iterator[Line]:
    """Build by ccache and distcc, call every op, build again; count who compiled."""
    ops = _WHOLE if plan.whole else _OPS
    what = f"{ops:,} ops by ccache and distcc"
    if absent := [program for program in PROGRAMS if not shutil.which(program)]:
        yield Missing(what, f"not installed: {', '.join(absent)}")
        return
    files = ops + 1  # and that of the library
    root = plan.folder / "library"
    write_library(root, ops)
    with farm(plan.folder) as elsewhere:
        build(root, "--launcher", "ccache", environment=elsewhere.environment)
        served = elsewhere.served()
        if not all(served):
            raise RuntimeError(f"the daemons compiled {served} files")
        peers = " and ".join(f"{count:,}" for count in served)
        yield Comparison(
            what, "compiled here", f"by two daemons, {peers}", "files", (files - sum(served),), (files,), 0
        )
        yield Comparison(f"{what}: results", "wrong", "called", "ops", (ops - right_ops(root),), (ops,), 0)
        elsewhere.cached()
        shutil.rmtree(root / "build")
        build(root, "--launcher", "ccache", environment=elsewhere.environment)
        hits, calls = elsewhere.cached()
        yield Comparison(f"{what}, again", "not in the cache", "asked for", "files", (calls - hits,), (calls,), 0)


ROW = Row("farm", measure, is_long=True, has_long_form=True, table="big-library")
