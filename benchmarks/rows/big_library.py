"""A large library, compiled; then one op changes: what runs is that op's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.comparison import Comparison, Plan, Row
from benchmarks.large_library import build, write_library

_OPS, _WHOLE = 40, 1_000


def measure(plan: Plan) -> Iterator[Comparison]:
    """Build, change a kernel and build, change a declaration and build; list and count what ran."""
    ops = _WHOLE if plan.whole else _OPS
    root = plan.folder / "library"
    write_library(root, ops)
    first = len(build(root))
    kernel, declaration = root / "kernels/cpu/op_0000.cpp", root / "ops.yaml"
    nothing = build(root)
    kernel.write_text(kernel.read_text(encoding="utf-8") + "// changed\n", encoding="utf-8")
    of_kernel = build(root)
    text = declaration.read_text(encoding="utf-8")
    declaration.write_text(text.replace("factor=1.0", "factor=2.0", 1), encoding="utf-8")
    of_schema = build(root)
    # Unit and link; unit, hash of all schemas and link.
    for what, again, needed in (("nothing", nothing, 0), ("one kernel", of_kernel, 2), ("one schema", of_schema, 3)):
        ran = ", ".join(sorted(f"`{Path(step).name}`" for step in again)) or "nothing"
        name = f"{ops:,} ops, {what} changed"
        yield Comparison(name, ran, "the first build", "commands", (len(again),), (first,), needed / first)


ROW = Row("big-library", measure, is_long=True, has_long_form=True, table="big-library")
