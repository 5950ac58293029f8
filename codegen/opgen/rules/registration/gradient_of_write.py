"""OPG502: a gradient formula for an op that writes."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.family.names import Form, forms_of
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG502",
    name="gradient-of-write",
    severity=Severity.ERROR,
    summary="A gradient formula is given for an op that writes an argument.",
    why=(
        "`torch.library.register_autograd` rejects every op that is not functional, and out= ops refuse inputs that "
        "require grad (`torch/_library/autograd.py`, `is_functional_schema` in `torch/_library/utils.py`). An op "
        "that fills its arguments provides the formulas for its functional form, which `autogen` derives."
    ),
    bad=ops_yaml("twice_(Tensor(a!) x) -> Tensor(a!)\nautograd: {x: grad * 2}"),
    good=ops_yaml("twice(Tensor x) -> Tensor\nautograd: {x: grad * 2}"),
    remedy="give the formula to the functional op, and state `autograd: none` here",
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Report formulas of families without a functional op."""
    if not isinstance(op.spec.autograd, tuple) or library.functional_form(op) is not None:
        return
    if op.written and op.spec.unread.isdisjoint({"autogen", "overwrites", "scratch"}):
        form = next((name for name, (kind, _) in forms_of(op).items() if kind is Form.FUNCTIONAL), None)
        message = f"`autograd` has a formula, but the op is {op.contract.value}: it writes '{op.written[0].name}'"
        help_ = f"derive the functional form, `autogen: [{form}]`: the formula is that form's" if form else ""
        yield finding(CODE, op, message, op.spec.keys.get("autograd"), help=help_)


RULE = Rule(CODE, check)
