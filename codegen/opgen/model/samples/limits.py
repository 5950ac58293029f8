"""How much is tried for the samples of one op: whatever a declaration asks for, it is read in a time that grows as it does."""

from __future__ import annotations

from opgen.model.op import Op

_MOST_VALUES = 2**14
_MOST_STEPS = 2**20


def most_calls(op: Op, count: int) -> int:
    """Return how many calls are made, ``count`` or fewer: each of an op with hundreds of arguments holds hundreds of values."""
    return max(min(count, _MOST_VALUES // max(len(op.arguments), 1)), 1)


def most_tries(op: Op) -> int:
    """Return how many wrong calls are evaluated, each by all steps of the plan."""
    return _MOST_STEPS // max(len(op.tensors.steps), 1)
