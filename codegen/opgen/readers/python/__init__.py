"""Reads registrations of operators in Python sources through ``ast``; the sources are never imported or run."""

from opgen.readers.python.interpreter import read_python

__all__ = ["read_python"]
