"""Renders expressions of contracts in three languages: as in ``ops.yaml``, Python for fakes, C++ for host checks."""

from opgen.spec.written import Binding, render_written
from opgen.targets.expressions.cpp import render_cpp
from opgen.targets.expressions.names import Names
from opgen.targets.expressions.python import render_python

__all__ = ["Binding", "Names", "render_cpp", "render_python", "render_written"]
