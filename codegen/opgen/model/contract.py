"""The contract of an operator, that is how it writes and returns its arguments; always derived from the schema."""

from __future__ import annotations

from enum import Enum

from opgen.schema.aliases import WILDCARD, alias_sets, before_sets, is_written
from opgen.schema.nodes import Argument, FunctionSchema, Return
from opgen.schema.types import is_plain_tensor


class Contract(Enum):
    """The four contracts of ``torch.library``, and views; the values of the enum appear in JSON and on pages.

    Source: "Choosing the kind of custom op", PyTorch's ``torch.library`` page, and the checks on ``Tag.inplace`` and
    ``Tag.out`` in ``torch/library.py``.
    """

    FUNCTIONAL = "functional"
    """No argument is written; every result is fresh."""

    INPLACE = "in-place"
    """The first positional argument is a written plain ``Tensor``, alone, and is returned, alone."""

    OUT = "out="
    """All written arguments are keyword-only plain tensors, returned in the order of their declaration."""

    MUTABLE = "mutable"
    """Some argument is written; no result shares memory with an argument."""

    VIEW = "view"
    """Nothing is written; a result shares memory with an argument."""

    IRREGULAR = "irregular"
    """Writes and returns an alias in a way that fits no contract; always accompanied by a diagnostic."""


def returns_argument(result: Return, argument: Argument) -> bool:
    """Whether a return is declared to be this written argument: both are ``Tensor(a!)`` with the same alias sets.

    The shorthand ``Tensor!`` names no set, so it never satisfies this. Source: the checks on ``Tag.inplace`` and
    ``Tag.out`` in ``torch/library.py``, which compare ``alias_info.before_set``.
    """
    if not (is_written(argument) and is_written(result)):
        return False
    sets = before_sets(result)
    return bool(sets) and sets == before_sets(argument)


def derive_contract(schema: FunctionSchema) -> Contract:
    """Derive the contract of a schema from positions and alias annotations; names never matter."""
    written = [argument for argument in schema.arguments if is_written(argument)]
    aliases = [result for result in schema.returns if is_written(result) or alias_sets(result)]
    if not aliases:
        return Contract.MUTABLE if written else Contract.FUNCTIONAL
    if not written:
        sets = frozenset().union(*map(alias_sets, schema.arguments)) - {WILDCARD}
        is_view = all(not is_written(result) and sets & alias_sets(result) for result in aliases)
        return Contract.VIEW if is_view else Contract.IRREGULAR
    if len(written) != len(schema.returns) or not all(map(_is_returned_plain, written, schema.returns)):
        return Contract.IRREGULAR
    if all(argument.kwarg_only for argument in written):
        return Contract.OUT
    return Contract.INPLACE if written == [schema.arguments[0]] else Contract.IRREGULAR


def _is_returned_plain(argument: Argument, result: Return) -> bool:
    plain = is_plain_tensor(argument.type) and is_plain_tensor(result.type)
    return plain and returns_argument(result, argument)
