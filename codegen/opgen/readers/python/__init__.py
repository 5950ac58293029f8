"""Registrations of operators in Python sources, read through ``ast``: nothing of what is read is imported or run."""

from opgen.readers.python.interpreter import read_python

__all__ = ["read_python"]
