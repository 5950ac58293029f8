"""Signals."""

from . import _binding as _binding
