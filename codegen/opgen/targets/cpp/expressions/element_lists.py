"""The element types of a tensor of a program, as a type: ``dtypes::OP::ARGUMENT`` of the op's header where that says it."""

from __future__ import annotations

from opgen.model.op import Op
from opgen.targets.cpp.dtypes import dtype_lists
from opgen.targets.cpp.expressions.types import Types
from opgen.targets.dtypes import ELEMENT_TYPE
from opgen.targets.names import cpp_name


class ElementLists:
    """The lists of one op."""

    def __init__(self, op: Op, types: Types) -> None:
        """Prepare."""
        self._op, self.types = op, types
        self._listed = {found.tensor: found.types for found in dtype_lists(op)}

    def of(self, tensor: str, *, is_output: bool) -> str:
        """Return the list of a tensor."""
        names = tuple(ELEMENT_TYPE[name] for name in self.types.elements(tensor, is_output=is_output))
        root = cpp_name(self.types.root(tensor, is_output=is_output))
        if self._listed.get(root) == names:
            return f"dtypes::{cpp_name(self._op.identifier)}::{root}"
        return f"Dtypes<{', '.join(names)}>"
