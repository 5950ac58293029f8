"""Families: a declared op and the forms derived from it by ``autogen``, all served by the same kernel."""

from opgen.model.family.members import derive_members, with_resizing

__all__ = ["derive_members", "with_resizing"]
