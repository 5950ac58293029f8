"""The public functions of a library: one for each op; a functional op and its out= form share one (``out=None``)."""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.records import dataclass

# Names that stub and defaults use as types or modules, which a function must not shadow.
_TAKEN = frozenset(keyword.kwlist) | {
    *("Any", "Literal", "Sequence", "Tensor", "torch"),
    *("bool", "complex", "dict", "float", "int", "list", "str", "tuple"),
}


@dataclass(frozen=True, slots=True)
class Function:
    """One function.

    Attributes:
        op: the op that it calls.
        out: the out= form that it calls instead when ``out`` is passed, as PyTorch's own functions do.
    """

    op: Op
    out: Op | None = None

    @property
    def name(self) -> str:
        """``add`` for ``add``, ``add_out`` for an ``add.out`` without functional form, ``float_`` for ``float``."""
        name = self.op.identifier
        return f"{name}_" if name.rstrip("_") in _TAKEN else name

    @property
    def out_name(self) -> str:
        """The parameter that takes ``out``: ``out_`` where an input has that name."""
        return "out_" if "out" in self.op.argument else "out"

    @property
    def ops(self) -> tuple[Op, ...]:
        """The ops that it calls: one or two."""
        return (self.op,) if self.out is None else (self.op, self.out)


def functions_of(library: Library) -> list[Function]:
    """Return the functions of a library, sorted by qualified name."""
    found = (function for family in library.families.values() for function in functions_of_family(family))
    return sorted(found, key=lambda function: function.op.qualified_name)


def functions_of_family(family: Sequence[Op]) -> list[Function]:
    """Return the functions of an op and of the ops derived from it, sorted by qualified name."""
    out = next((op for op in reversed(family) if op.contract is Contract.OUT), None)
    is_hidden = any(op.contract is Contract.FUNCTIONAL for op in family)
    return [
        Function(op, out if op.contract is Contract.FUNCTIONAL else None)
        for op in sorted(family, key=lambda op: op.qualified_name)
        if not (is_hidden and op is out)
    ]
