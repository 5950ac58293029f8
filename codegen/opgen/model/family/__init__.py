"""Families: the forms of an op that are derived from it and served by its kernel."""

from opgen.model.family.members import derive_members, with_resizing

__all__ = ["derive_members", "with_resizing"]
