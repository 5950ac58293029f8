"""Registrations that a live process has after some modules were imported."""

from opgen.readers.live.reader import read_live

__all__ = ["read_live"]
