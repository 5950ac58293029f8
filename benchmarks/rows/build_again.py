"""A build with nothing to do."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.comparison import Comparison, Plan, Row
from benchmarks.process import opgen, run

_SECONDS = 0.3
_TINY = """\
opgen: 1
namespace: bench
ops:
  - func: twice(Tensor x) -> Tensor
    tensors: {x: "float [n]", return: "x.dtype [n]"}
    dispatch: {CPU: python}
    autograd: none
"""
_KERNEL = "def twice(x, out):\n    out.copy_(x * 2)\n"


def measure(plan: Plan) -> Iterator[Comparison]:
    """Build the library that ``opgen init`` writes, then again and again."""
    folder = plan.folder / "library"
    if plan.tiny:
        (folder / "kernels/cpu").mkdir(parents=True)
        (folder / "ops.yaml").write_text(_TINY, encoding="utf-8")
        (folder / "kernels/cpu/twice.py").write_text(_KERNEL, encoding="utf-8")
    else:
        run(opgen("init", folder.name), plan.folder)
    first = plan.seconds(run(opgen("build"), folder))
    again = tuple(plan.seconds(run(opgen("build"), folder)) for _ in range(plan.runs + 1))[1:]
    what, ours = "build, nothing changed", "opgen build, again"
    yield Comparison(what, ours, f"{_SECONDS} s", "s", again, (_SECONDS,), wanted=1)
    yield Comparison(what, ours, "the first opgen build", "s", again, (first,), wanted=0.1)


ROW = Row("build-again", measure)
