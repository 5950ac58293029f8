"""OPG502: a gradient formula for an op that writes."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG502",
    name="gradient-of-write",
    severity=Severity.ERROR,
    summary="A gradient formula is given for an op that writes an argument.",
    why=(
        "`torch.library.register_autograd` refuses every op that is not functional, and out= ops refuse inputs that "
        "require grad (`torch/_library/autograd.py`, `is_functional_schema` in `torch/_library/utils.py`)."
    ),
    bad=ops_yaml("twice_(Tensor(a!) x) -> Tensor(a!)\nautograd: {x: grad * 2}"),
    good=ops_yaml("twice(Tensor x) -> Tensor\nautograd: {x: grad * 2}"),
    remedy="give the formula to the functional op, and state `autograd: none` here",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Look for formulas of in-place, out= and mutable ops."""
    if isinstance(op.spec.autograd, tuple) and op.written:
        message = f"`autograd` has a formula, but the op is {op.contract.value}: it writes '{op.written[0].name}'"
        yield finding(CODE, op, message, op.spec.keys.get("autograd"))


RULE = Rule(CODE, check)
