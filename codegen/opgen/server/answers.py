"""What an editor asks about an op: its contract, and where its kernels stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opgen.model.op import Library, Op
from opgen.targets.docs.page import page_file


def contract(library: Library, op: Op) -> str:
    """Return the page of an op and its derived forms as Markdown: what ``generated/docs/`` will hold."""
    return page_file(library, library.families[op.qualified_name]).content


def kernel_files(op: Op, folder: Path) -> Iterator[Path]:
    """Yield the files in which an op's kernels are written, or its registration, as far as they are there."""
    names = [kernel.path for kernel in op.kernels] if op.registered is None else [op.registered]
    yield from (folder / name for name in names if (folder / name).is_file())
