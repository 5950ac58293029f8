"""OPG505: a number of flags in ``output_differentiability`` other than that of the returns."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.words import counted

CODE = Code(
    id="OPG505",
    name="output-differentiability",
    severity=Severity.ERROR,
    summary="`output_differentiability` does not have one flag per output.",
    why="As in `derivatives.yaml`, the i-th flag applies to the i-th return (`tools/autograd/load_derivatives.py`).",
    bad=ops_yaml("top(Tensor x) -> (Tensor values, Tensor ids)\nautograd: {x: grad}\noutput_differentiability: [true]"),
    good=ops_yaml(
        "top(Tensor x) -> (Tensor values, Tensor ids)\nautograd: {x: grad}\noutput_differentiability: [true, false]"
    ),
    remedy="write one flag for each return",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Count flags and returns."""
    flags = op.spec.output_differentiability
    if flags is not None and len(flags) != len(op.outputs):
        message = (
            f"`output_differentiability` has {counted(len(flags), 'flag')}, the op {counted(len(op.outputs), 'return')}"
        )
        yield finding(CODE, op, message, op.spec.keys.get("output_differentiability"))


RULE = Rule(CODE, check, reads=frozenset({"output_differentiability"}))
