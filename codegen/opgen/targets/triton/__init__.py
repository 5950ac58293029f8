"""Triton kernels from expressions: ``generated/PACKAGE/_triton_kernels/OP.py``, one module for each op."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Library
from opgen.targets.output import OutputFile
from opgen.targets.python.place import folder
from opgen.targets.templates import render
from opgen.targets.triton.kernel import triton_kernel_file


def triton_files(library: Library) -> Iterator[OutputFile]:
    """Emit the modules and their shared code; nothing for a library without expressions in Triton."""
    ops = [op for op in library.ops if op.program and not op.is_derived]
    files = [
        triton_kernel_file(library, op, op.program)
        for op in ops
        if op.program and any(kernel.kind == "triton" for kernel in op.kernels)
    ]
    if not files:
        return
    yield from files
    for name in ("__init__", "_maths", "_space"):
        yield OutputFile(
            f"{folder(library)}/_triton_kernels/{name}.py", render(f"triton/{name.strip('_')}.py.j2", None)
        )
