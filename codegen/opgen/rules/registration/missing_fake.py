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
    keys = {entry.key.value for entry in op.spec.tensors}
    missing = [
        output.name
        for index, (output, result) in enumerate(zip(op.outputs, op.schema.returns, strict=True))
        if output.alias_of is None
        and not returns_none(result)
        and keys.isdisjoint({output.name, result.name, "return", f"return.{index}"})
    ]
    if missing:
        message = f"no fake kernel can be derived: output {listed(missing)} has no contract"
        diagnostic = finding(CODE, op, message, op.schema.returns_span)
        yield diagnostic if op.spec.tensors else replace(diagnostic, severity_override=Severity.INFO)


RULE = Rule(CODE, check)
