"""Guesses whether a schema that fits no contract was meant to be in-place or out=; shared by several rules."""

from __future__ import annotations

from opgen.model.contract import Contract, returns_argument
from opgen.model.op import Op
from opgen.schema.nodes import Argument
from opgen.schema.types import without_optional

WRITING = frozenset(Contract) - {Contract.FUNCTIONAL, Contract.VIEW}
MUTABLE = frozenset({Contract.MUTABLE})
IRREGULAR = frozenset({Contract.IRREGULAR})
ALIASING = frozenset({Contract.IRREGULAR, Contract.VIEW})
"""The contracts of ops with an annotated return that are neither in-place nor out=."""


def returned_arguments(op: Op) -> list[Argument]:
    """Return the written arguments that the schema returns, in schema order."""
    schema = op.schema
    return [
        argument
        for argument in schema.arguments
        if any(returns_argument(result, argument) for result in schema.returns)
    ]


def intends_outs(op: Op) -> bool:
    """Whether an irregular schema is meant to be out=; not with an optional out, of which OPG213 reports the cause."""
    if intended_contract(op) is not Contract.OUT:
        return False
    return all(without_optional(argument.type) is argument.type for argument in returned_arguments(op))


def intended_contract(op: Op) -> Contract | None:
    """Return the contract that an irregular schema with returned written arguments was meant to have, else ``None``.

    It is ``INPLACE`` if the first argument is returned and no keyword-only one is, else ``OUT``.
    """
    if op.contract is not Contract.IRREGULAR:
        return None
    returned = returned_arguments(op)
    if not returned:
        return None
    is_inplace = returned[0] is op.schema.arguments[0] and not any(argument.kwarg_only for argument in returned)
    return Contract.INPLACE if is_inplace else Contract.OUT
