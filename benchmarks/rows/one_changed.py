"""A large library, built; then one op changes: what is compiled again is that op's own."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.big_library import opgen, steps, write_library
from benchmarks.comparison import Comparison, Plan, Row

_OPS, _WHOLE = 40, 1_000


def measure(plan: Plan) -> Iterator[Comparison]:
    """Build, change a kernel and build, change a declaration and build: count the files that are compiled."""
    ops = _WHOLE if plan.whole else _OPS
    root = plan.folder / "library"
    write_library(root, ops)
    first = _compiled(opgen(root, "build")[1])
    kernel, declaration = root / "kernels/cpu/op_0000.cpp", root / "ops.yaml"
    kernel.write_text(kernel.read_text(encoding="utf-8") + "// changed\n", encoding="utf-8")
    of_kernel = _compiled(opgen(root, "build")[1])
    text = declaration.read_text(encoding="utf-8")
    declaration.write_text(text.replace("factor=1.0", "factor=2.0", 1), encoding="utf-8")
    of_schema = _compiled(opgen(root, "build")[1])
    for what, again, own in (("kernel", of_kernel, 1), ("schema", of_schema, 2)):  # a schema changes the library's hash
        yield Comparison(
            f"one {what} of {ops:,} ops changed",
            "compiled again",
            "the first build",
            "files",
            (again,),
            (first,),
            own / first,
        )


def _compiled(output: str) -> int:
    return sum(step.endswith(".cpp") for step in steps(output))


ROW = Row("one-changed", measure, is_long=True)
