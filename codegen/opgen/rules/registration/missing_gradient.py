"""OPG541: a tensor argument without a formula in an op with formulas."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, listed, ops_yaml

CODE = Code(
    id="OPG541",
    name="missing-gradient",
    severity=Severity.WARNING,
    summary="Some tensor arguments have a gradient formula, but another one that may require grad has none.",
    why=(
        "Its gradient would be missing, so `backward` raises for it, as for `not_implemented` in `derivatives.yaml`, "
        "which states this deliberately."
    ),
    bad=ops_yaml("scale(Tensor x, Tensor y) -> Tensor\nfake: none\nautograd: {x: grad * y}"),
    good=ops_yaml("scale(Tensor x, Tensor y) -> Tensor\nfake: none\nautograd: {x: grad * y, y: grad * x}"),
    remedy=(
        "give a formula, or state `not_implemented`, which raises in `backward`, or `non_differentiable` for a tensor that "
        "counts as numbers"
    ),
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Compare the tensors that may require grad with the arguments that have a formula."""
    functional = library.functional_form(op)
    if not isinstance(op.spec.autograd, tuple) or functional is None or functional.gradients is None:
        return
    named = {name.value for formula in op.spec.autograd for name in formula.arguments}
    missing = [name for name in functional.gradients.not_implemented if name not in named]
    # A misspelt name is reported elsewhere, and may be the argument that seems to lack a formula.
    if missing and named <= functional.argument.keys():
        yield finding(CODE, op, f"`autograd` has no formula for {listed(missing)}", op.spec.keys.get("autograd"))


RULE = Rule(CODE, check, reads=frozenset({"autograd", "tensors"}))
