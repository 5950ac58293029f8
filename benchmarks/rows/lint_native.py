"""Parse and check torch's own declarations: beside torchgen, which parses them, and once more beside the first time."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.comparison import Comparison, Plan, Row, in_turns
from benchmarks.inputs import native_functions
from benchmarks.process import opgen, run

_TORCHGEN = "from torchgen.gen import parse_native_yaml; parse_native_yaml({!r}, {!r})"


def measure(plan: Plan) -> Iterator[Comparison]:
    """Lint ``native_functions.yaml`` in a process of its own."""
    file, tags = native_functions(plan.folder, first=20 if plan.tiny else None)
    cache = {"OPGEN_CACHE_DIR": str(plan.folder / "cache")}

    def cold() -> float:
        return plan.seconds(run(opgen("lint", "--no-cache", file.name), plan.folder))

    def warm() -> float:
        return plan.seconds(run(opgen("lint", file.name), plan.folder, cache))

    def torchgen() -> float:
        return plan.seconds(run(["-c", _TORCHGEN.format(str(file), str(tags))], plan.folder))

    what = "lint native_functions.yaml"
    yield Comparison(
        what,
        "opgen lint, no cache",
        "torchgen's parse_native_yaml",
        "s",
        *in_turns(cold, torchgen, plan.runs),
        wanted=0.5,
    )
    yield Comparison(
        f"{what}, unchanged", "opgen lint", "opgen lint, no cache", "s", *in_turns(warm, cold, plan.runs), wanted=0.2
    )


ROW = Row("lint-native", measure)
