"""What a change of a library does to those who use it: `compare` two surfaces, rule by rule."""

from opgen.breaking.breakage import Breakage
from opgen.breaking.category import Category
from opgen.breaking.compare import compare
from opgen.breaking.surface import Surface

__all__ = ["Breakage", "Category", "Surface", "compare"]
