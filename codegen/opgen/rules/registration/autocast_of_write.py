"""OPG506: an autocast policy for an op that writes arguments."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, listed, ops_yaml

CODE = Code(
    id="OPG506",
    name="autocast-of-write",
    severity=Severity.ERROR,
    summary="An autocast policy is stated for an op that writes an argument.",
    why=(
        "Autocast casts arguments by copying them, so the kernel would write into the copy. PyTorch's own in-place "
        'and out= ops are excluded ("Autocast Op Reference", PyTorch\'s `amp` page).'
    ),
    bad=ops_yaml("scale_(Tensor(a!) x, Tensor factor) -> Tensor(a!)\nautocast: float32"),
    good=ops_yaml("scale_(Tensor(a!) x, Tensor factor) -> Tensor(a!)\nautocast: none"),
    remedy="state `autocast: none`, or declare a functional op",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report policies of ops that write."""
    policy = op.spec.autocast
    if policy is not None and policy.value != "none" and op.written:
        written = listed(argument.name for argument in op.written)
        message = f"autocast '{policy.value}' would cast the written {written} into a copy"
        yield finding(CODE, op, message, policy.locate() if "autocast" in op.spec.keys else None)


RULE = Rule(CODE, check)
