"""The list of all targets."""

from __future__ import annotations

from opgen.targets.cpp import cpp_files
from opgen.targets.docs import docs_files
from opgen.targets.output import Target
from opgen.targets.python import python_files
from opgen.targets.tests import test_files
from opgen.targets.triton import triton_files

BUILT: tuple[Target, ...] = (cpp_files, python_files, triton_files)
"""The targets whose files are compiled or installed."""

TARGETS: tuple[Target, ...] = (*BUILT, test_files, docs_files)
"""All targets, in the order in which they are run; no two yield the same path."""
