"""OPG500: an output without contract, for which no fake kernel can be derived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op, Output
from opgen.rules.rule import Rule, finding, listed, ops_yaml
from opgen.schema.types import is_tensor, returns_none

CODE = Code(
    id="OPG500",
    name="missing-fake",
    severity=Severity.WARNING,
    summary="An output has no contract from which a fake kernel could be derived.",
    why=(
        "`torch.compile` and `torch.export` run fake kernels to learn sizes and dtypes; without one the op works in "
        "eager mode only. It is only a hint for an op that describes none of its tensors, and for lists and numbers, "
        "which no contract describes."
    ),
    bad=ops_yaml('norm(Tensor x) -> Tensor\ntensors: {x: "float [*batch, n]"}'),
    good=ops_yaml('norm(Tensor x) -> Tensor\ntensors: {x: "float [*batch, n]", return: "x.dtype [*batch]"}'),
    remedy="describe the output under `tensors`, name a `fake: module:function`, or state `fake: none`",
)


def undescribed(op: Op) -> dict[str, Output]:
    """Return the fresh outputs without an entry in ``tensors``, by the key that the entry would have."""
    written = {entry.key.value for entry in op.spec.tensors}
    found = {}
    for index, (output, result) in enumerate(zip(op.outputs, op.schema.returns, strict=True)):
        place = f"return.{index}"
        keys = {output.name, result.name or "return", place, "return"}
        if output.alias_of is None and not returns_none(result) and written.isdisjoint(keys):
            found[result.name or ("return" if len(op.outputs) == 1 else place)] = output
    return found


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report fresh outputs without an entry, unless a composite kernel is decomposed and needs no fake."""
    if op.fake is not None or any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels):
        return
    missing = undescribed(op)
    tensors = [key for key, output in missing.items() if is_tensor(output.type)]
    if tensors:
        message = f"no fake kernel can be derived: `tensors` has no entry for {listed(tensors)}"
        diagnostic = finding(CODE, op, message, op.schema.returns_span)
        yield diagnostic if op.spec.tensors else replace(diagnostic, severity_override=Severity.INFO)
    elif missing:
        what = "which is no single tensor" if len(missing) == 1 else "which are no single tensors"
        message = f"no fake kernel can be derived: no contract describes {listed(missing)}, {what}"
        help_ = "name a `fake: module:function`, or state `fake: none`"
        diagnostic = finding(CODE, op, message, op.schema.returns_span, help=help_)
        yield replace(diagnostic, severity_override=Severity.INFO)


RULE = Rule(CODE, check, reads=frozenset({"tensors", "fake", "dispatch"}))
