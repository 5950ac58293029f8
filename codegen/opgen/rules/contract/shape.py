"""Which contracts a rule looks at, and which of the two aliasing ones a schema that fits none was meant to be."""

from __future__ import annotations

from opgen.model.contract import Contract, returns_argument
from opgen.model.op import Op
from opgen.schema.nodes import Argument
from opgen.schema.types import without_optional

WRITING = frozenset(Contract) - {Contract.FUNCTIONAL, Contract.VIEW}
MUTABLE = frozenset({Contract.MUTABLE})
IRREGULAR = frozenset({Contract.IRREGULAR})
ALIASING = frozenset({Contract.IRREGULAR, Contract.VIEW})
"""Some return is marked, and the op is neither in-place nor out=."""


def returned_arguments(op: Op) -> list[Argument]:
    """Return the written arguments that the schema hands back, in schema order."""
    schema = op.schema
    return [
        argument
        for argument in schema.arguments
        if any(returns_argument(result, argument) for result in schema.returns)
    ]


def intends_outs(op: Op) -> bool:
    """Whether an irregular schema hands back outs. Where one may be absent, all else follows from that, which is OPG213."""
    if intended_contract(op) is not Contract.OUT:
        return False
    return all(without_optional(argument.type) is argument.type for argument in returned_arguments(op))


def intended_contract(op: Op) -> Contract | None:
    """Return ``INPLACE`` or ``OUT`` where an irregular schema hands back written arguments, else ``None``.

    Where the first argument stands among them the schema is taken for in-place, unless a keyword-only one does too.
    """
    if op.contract is not Contract.IRREGULAR:
        return None
    returned = returned_arguments(op)
    if not returned:
        return None
    is_inplace = returned[0] is op.schema.arguments[0] and not any(argument.kwarg_only for argument in returned)
    return Contract.INPLACE if is_inplace else Contract.OUT
