"""All targets."""

from __future__ import annotations

from opgen.targets.cpp import cpp_files
from opgen.targets.docs import docs_files
from opgen.targets.output import Target
from opgen.targets.python import python_files
from opgen.targets.tests import test_files
from opgen.targets.triton import triton_files

BUILT: tuple[Target, ...] = (cpp_files, python_files, triton_files)
"""What is compiled and installed."""

TARGETS: tuple[Target, ...] = (*BUILT, test_files, docs_files)
"""What is emitted for a library, target by target; no two yield the same path."""
