"""Which functions a library has: one an op, but one for a functional op and the out= form of its family."""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from dataclasses import dataclass

from opgen.model.contract import Contract
from opgen.model.op import Library, Op

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


def functions_of(library: Library) -> Iterator[Function]:
    """Yield the functions of a library, by qualified name."""
    joined = {
        functional.qualified_name: out
        for family in library.families.values()
        for functional in family
        for out in family
        if functional.contract is Contract.FUNCTIONAL and out.contract is Contract.OUT
    }
    hidden = {out.qualified_name for out in joined.values()}
    for op in library.ops:
        if op.qualified_name not in hidden:
            yield Function(op, joined.get(op.qualified_name))
