"""The element types of a tensor of a program, as a type: ``dtypes::OP::ARGUMENT`` of the op's header where that says it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from opgen.records import dataclass
from opgen.targets.cpp.dtypes import dtype_lists
from opgen.targets.cpp.expressions.types import Types
from opgen.targets.dtypes import ELEMENT_TYPE
from opgen.targets.names import cpp_name


@dataclass(frozen=True)
class ElementLists:
    """The lists of one op.

    Attributes:
        types: of the op's values.
    """

    types: Types

    @cached_property
    def _listed(self) -> Mapping[str, tuple[str, ...]]:
        return {found.tensor: found.types for found in dtype_lists(self.types.op)}

    def of(self, tensor: str, *, is_output: bool) -> str:
        """Return the list of a tensor."""
        names = tuple(ELEMENT_TYPE[name] for name in self.types.elements(tensor, is_output=is_output))
        root = cpp_name(self.types.root(tensor, is_output=is_output))
        if self._listed.get(root) == names:
            return f"dtypes::{cpp_name(self.types.op.identifier)}::{root}"
        return f"Dtypes<{', '.join(names)}>"
