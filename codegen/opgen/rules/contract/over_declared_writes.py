"""OPG215: every tensor argument is marked as written though the op returns a fresh tensor."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import MUTABLE
from opgen.rules.rule import Rule, finding, listed, ops_yaml

CODE = Code(
    id="OPG215",
    name="over-declared-writes",
    severity=Severity.WARNING,
    summary="Every tensor argument is marked written although the op returns a fresh tensor.",
    why=(
        "An op that computes a result reads some operand. Marking read-only arguments costs a copy of each under "
        'functionalisation, prevents gradients and hides the real writes; `mutates_args="unknown"` produces such '
        "marks."
    ),
    bad=ops_yaml("gemm(Tensor(a!) lhs, Tensor(b!) rhs) -> Tensor"),
    good=ops_yaml("gemm(Tensor lhs, Tensor rhs) -> Tensor"),
    remedy="leave the `!` only where the kernel writes, or say so by `overwrites` or `scratch`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare the written arguments with all tensor arguments; an op with stated roles is not reported."""
    tensors = op.tensor_arguments
    if (
        len(tensors) > 1
        and all(argument.written for argument in tensors)
        and any(output.alias_of is None for output in op.outputs)
        and not (op.spec.overwrites or op.spec.scratch)
    ):
        names = listed(argument.name for argument in tensors)
        yield finding(CODE, op, f"all tensor arguments, {names}, are marked written beside a fresh result")


RULE = Rule(CODE, check, reads=frozenset({"overwrites", "scratch"}), contracts=MUTABLE)
