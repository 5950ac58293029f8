"""The formulas for gradients that Python registers: ``register_autograd``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Op
from opgen.readers.registrations import Function, Implementation
from opgen.records import dataclass
from opgen.rules.registrations.joined import Joined


@dataclass(frozen=True)
class Formula:
    """One registration, whose op's schema was read.

    Attributes:
        backward: what makes the gradients.
        setup_context: what keeps values for it.
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
