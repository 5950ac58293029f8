"""The gradient formulas that Python sources register by ``register_autograd``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Op
from opgen.readers.registrations import Function, Implementation
from opgen.records import dataclass
from opgen.rules.registrations.joined import Joined


@dataclass(frozen=True)
class Formula:
    """One ``register_autograd`` whose op has a schema that was read.

    Attributes:
        op: the op.
        statement: the registration.
        backward: the function that computes the gradients; ``None`` if it was not read.
        setup_context: the function that saves values for it; ``None`` without one, or if it was not read.
    """

    op: Op
    statement: Implementation
    backward: Function | None
    setup_context: Function | None


def formulas(joined: Joined) -> Iterator[Formula]:
    """Yield the formulas of all ops."""
    for joined_op in joined.ops.values():
        op = joined_op.op
        contexts = {one.location: one.function for one in joined_op.implementations if one.role == "setup_context"}
        for one in joined_op.implementations:
            if op is not None and one.role == "autograd":
                yield Formula(op, one, one.function, contexts.get(one.location))
