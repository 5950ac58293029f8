"""The expressions of an op as their author wrote them, for the head of what is generated from them."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Op
from opgen.spec.kernel_written import render


def as_written(op: Op) -> Iterator[str]:
    """Yield a line for each, with its name where it has one."""
    for entry in (*op.spec.reduce, *op.spec.pointwise):
        text = render(entry.expression)
        yield f"{entry.key.value}: {text}" if entry.key else text
