"""OPG219: an op that writes an argument and returns a tensor of data-dependent size."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import WRITING
from opgen.rules.rule import Rule, finding, listed, ops_yaml

CODE = Code(
    id="OPG219",
    name="dynamic-output-with-write",
    severity=Severity.WARNING,
    summary="An op writes an argument and has an output of data-dependent size.",
    why=(
        "Functionalisation fails on this combination (pytorch/pytorch#125869): the op works in eager mode but not "
        "when compiled."
    ),
    bad=ops_yaml(
        "step(Tensor(a!) state, Tensor x) -> Tensor\n"
        'tensors: {state: "float [n]", x: "float [n]", return: "int64 [?kept]"}'
    ),
    good=ops_yaml(
        "step(Tensor(a!) state, Tensor x) -> (Tensor ids, Tensor count)\n"
        'tensors: {state: "float [n]", x: "float [n]", ids: "int64 [n]", count: "int64 []"}'
    ),
    remedy="split it in two ops, or return a result of full capacity and a count",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report outputs of data-dependent size of ops that write."""
    dynamic = [name for name, output in op.tensors.outputs.items() if output.is_dynamic]
    if dynamic and op.written:
        written = listed(argument.name for argument in op.written)
        message = f"the op writes {written}, and the size of output {listed(dynamic)} depends on data"
        yield finding(CODE, op, message)


RULE = Rule(CODE, check, contracts=WRITING)
