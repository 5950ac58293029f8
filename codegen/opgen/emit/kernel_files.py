"""Finds out whether a kernel is written, by its file."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from opgen.model.kernel import Kernel

_SKELETON = re.compile(
    r"^[^/#\n]*\bkernel_not_written\(|NotImplementedError\([^)]{0,199}: write the kernel in ", re.MULTILINE
)
"""Matches the raising statement of a skeleton (``templates/cpp/kernel.cpp.j2``, ``templates/python/kernel.py.j2``)."""


class KernelState(str, Enum):
    """The state of a kernel's file; the values are shown in tables."""

    WRITTEN = "written"
    SKELETON = "skeleton"
    ABSENT = "no file"


def kernel_state(root: Path, kernel: Kernel) -> KernelState:
    """Return the state of a kernel, whose file is relative to the project ``root``.

    A Python kernel that is named by ``module:function`` counts as written, as its module is imported from elsewhere.
    """
    if kernel.is_python and kernel.names_symbol:
        return KernelState.WRITTEN
    try:
        text = (root / kernel.path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return KernelState.ABSENT
    return KernelState.SKELETON if _SKELETON.search(text) else KernelState.WRITTEN
