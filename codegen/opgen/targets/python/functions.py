"""Which functions a library has: one an op, but one for a functional op and the out= form of its family."""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.records import dataclass

# What the stub and the defaults in the module mean by these names must not be a function.
_TAKEN = frozenset(keyword.kwlist) | {
    *("Any", "Literal", "Sequence", "Tensor", "torch"),
    *("bool", "complex", "dict", "float", "int", "list", "str", "tuple"),
}


@dataclass(frozen=True, slots=True)
class Function:
    """One function.

    Attributes:
        op: what it calls.
        out: what it calls instead when it is given an ``out``, as PyTorch's own functions do.
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
        """All that it calls."""
        return (self.op,) if self.out is None else (self.op, self.out)


def functions_of(library: Library) -> list[Function]:
    """Return the functions of a library, by qualified name."""
    found = (function for family in library.families.values() for function in functions_of_family(family))
    return sorted(found, key=lambda function: function.op.qualified_name)


def functions_of_family(family: Sequence[Op]) -> list[Function]:
    """Return the functions of an op and of what is derived from it, by qualified name."""
    out = next((op for op in reversed(family) if op.contract is Contract.OUT), None)
    is_hidden = any(op.contract is Contract.FUNCTIONAL for op in family)
    return [
        Function(op, out if op.contract is Contract.FUNCTIONAL else None)
        for op in sorted(family, key=lambda op: op.qualified_name)
        if not (is_hidden and op is out)
    ]
