"""OPG500: an output that nobody can make without running the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, listed, ops_yaml
from opgen.rules.types.none_return import returns_none

CODE = Code(
    id="OPG500",
    name="missing-fake",
    severity=Severity.WARNING,
    summary="An output has no contract from which a fake kernel could be derived.",
    why=(
        "`torch.compile` and `torch.export` run fake kernels to learn sizes and dtypes; without one the op works in "
        "eager mode only. For an op that says nothing about its tensors at all this is a hint."
    ),
    bad=ops_yaml('norm(Tensor x) -> Tensor\ntensors: {x: "float [*batch, n]"}'),
    good=ops_yaml('norm(Tensor x) -> Tensor\ntensors: {x: "float [*batch, n]", return: "x.dtype [*batch]"}'),
    remedy="describe the output under `tensors`, name a `fake: module:function`, or state `fake: none`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Look for fresh outputs without a contract; a composite kernel is traced through and needs no fake."""
    if op.fake is not None or any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels):
        return
    is_none = {
        output.name for output, result in zip(op.outputs, op.schema.returns, strict=True) if returns_none(result)
    }
    missing = [output.name for output in op.fresh_outputs if output.name not in {*op.tensors.outputs, *is_none}]
    if missing:
        message = f"no fake kernel can be derived: output {listed(missing)} has no contract"
        diagnostic = finding(CODE, op, message, op.schema.returns_span)
        yield diagnostic if op.spec.tensors else replace(diagnostic, severity_override=Severity.INFO)


RULE = Rule(CODE, check)
