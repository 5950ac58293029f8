"""OPG561: ``mutates_args="unknown"``, which marks all tensors as written."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import Joined, is_unknown
from opgen.rules.registrations.rule import RegistrationRule, found_at, python

CODE = Code(
    id="OPG561",
    name="unknown-mutation",
    severity=Severity.WARNING,
    summary='`mutates_args="unknown"` declares every tensor as written.',
    why=(
        "Under `torch.compile` each tensor is cloned before such a call, and no gradient formula can be registered. "
        "Read-only operands were reported to crash the compiler (ROCm/aiter#2780)."
    ),
    bad=python(
        """import torch


@torch.library.custom_op("mylib::product", mutates_args="unknown")
def product(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x @ y


@product.register_fake
def _(x, y):
    return x.new_empty((x.shape[0], y.shape[1]))
"""
    ),
    good=python(
        """import torch


@torch.library.custom_op("mylib::product", mutates_args=())
def product(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x @ y


@product.register_fake
def _(x, y):
    return x.new_empty((x.shape[0], y.shape[1]))
"""
    ),
    remedy="name the arguments that the op writes: `mutates_args=()` if there are none",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report definitions with ``mutates_args="unknown"``."""
    for defined in joined.definitions:
        if is_unknown(defined.statement) and not defined.statement.uninferable:
            message = '`mutates_args` is "unknown": every tensor counts as written'
            yield found_at(CODE, defined.name, message, defined.statement.location)


RULE = RegistrationRule(CODE, check)
