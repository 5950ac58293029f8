"""How far the author of a kernel has come, told from its file."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from opgen.model.kernel import Kernel

_SKELETON = re.compile(
    r"^[^/#\n]*\bkernel_not_written\(|NotImplementedError\([^)]{0,199}: write the kernel in ", re.MULTILINE
)
"""What a skeleton does when it is called, in C++ and in Python: ``templates/cpp/kernel.cpp.j2``, ``templates/python/kernel.py.j2``."""


class KernelState(str, Enum):
    """The values are what a table shows."""

    WRITTEN = "written"
    SKELETON = "skeleton"
    ABSENT = "no file"


def kernel_state(root: Path, kernel: Kernel) -> KernelState:
    """Return how far a kernel is, whose file is relative to the project ``root``.

    A function that a Python kernel names by ``module:function`` stands in a module that is imported, not in a file of opgen's.
    """
    if kernel.is_python and kernel.names_symbol:
        return KernelState.WRITTEN
    try:
        text = (root / kernel.path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return KernelState.ABSENT
    return KernelState.SKELETON if _SKELETON.search(text) else KernelState.WRITTEN
