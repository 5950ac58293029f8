"""Reads the registrations of a live process after it has imported some modules."""

from opgen.readers.live.reader import read_live

__all__ = ["read_live"]
