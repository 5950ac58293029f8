"""OPG569: a formula for gradients of an op that is not functional."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.examples import scale
from opgen.rules.registrations.python.formulas import formulas
from opgen.rules.registrations.rule import RegistrationRule, found_at, python
from opgen.rules.rule import listed
from opgen.schema.aliases import alias_sets

CODE = Code(
    id="OPG569",
    name="gradient-of-mutable",
    severity=Severity.ERROR,
    summary="`register_autograd` is called for an op that writes an argument, or returns one.",
    why=(
        "It raises while the module is imported: only functional ops can have a formula (`register_autograd` in "
        "`torch/library.py`)."
    ),
    bad=python(
        """import torch


@torch.library.custom_op("mylib::scale", mutates_args=("x",))
def scale(x: torch.Tensor, factor: float) -> None:
    x.mul_(factor)


def backward(ctx):
    return None, None


scale.register_autograd(backward)
"""
    ),
    good=scale(),
    remedy="make the op functional: return a fresh tensor, and let the caller copy it",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report formulas of ops that write, or return an alias."""
    for formula in formulas(joined):
        written = [argument.name for argument in formula.op.written]
        shared = [argument.name for argument in formula.op.schema.arguments if alias_sets(argument)]
        if written or shared:
            what = f"writes {listed(written)}" if written else f"returns memory of {listed(shared)}"
            message = f"no formula can be registered for an op that {what}"
            yield found_at(CODE, formula.op.qualified_name, message, formula.statement.location)


RULE = RegistrationRule(CODE, check)
