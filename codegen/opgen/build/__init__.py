"""Toolchains, ninja, and loading what was built."""
