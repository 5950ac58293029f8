"""OPG223: an overload named ``out`` whose op is no out= op."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG223",
    name="out-overload",
    severity=Severity.WARNING,
    summary="An overload is called `out`, but its schema is not that of an out= op.",
    why=(
        "Callers, ExecuTorch and `torch._library._out_variant` expect `.out` to have keyword-only buffers that are "
        "returned in order; this op is called and compiled differently."
    ),
    bad=ops_yaml("fuse.out(Tensor x, Tensor(a!) out) -> ()"),
    good=ops_yaml("fuse.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"),
    remedy="make the buffers keyword-only and return them, or give the op another name",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare the overload's name with the contract; other rules report what is wrong in irregular schemas."""
    is_out_name = op.overload == "out" or op.overload.endswith("_out")
    if is_out_name and op.contract not in {Contract.OUT, Contract.IRREGULAR}:
        message = f"overload '{op.overload}' has the schema of a {op.contract.value} op, not of an out= op"
        yield finding(CODE, op, message, op.schema.name.span)


RULE = Rule(CODE, check)
