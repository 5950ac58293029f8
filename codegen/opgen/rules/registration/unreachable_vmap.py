"""OPG544: a batching rule that ``torch.vmap`` would never call."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, listed, ops_yaml

CODE = Code(
    id="OPG544",
    name="unreachable-vmap",
    severity=Severity.ERROR,
    summary="`vmap` is stated for an op for which `torch.vmap` uses no rule.",
    why=(
        "Ops that write are called once per slice, so that each write is counted. A composite kernel is traced "
        "through: the ops that it calls have rules. `torch.library.register_vmap` rejects ops with keyword-only "
        "tensors."
    ),
    bad=ops_yaml("scale_(Tensor(a!) x, Tensor factor) -> Tensor(a!)\nvmap: loop"),
    good=ops_yaml("scale(Tensor x, Tensor factor) -> Tensor\nvmap: loop"),
    remedy="remove it",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report rules of ops that can't use one."""
    reason = _reason(op)
    if op.spec.vmap is not None and reason is not None and "vmap" in op.spec.keys:
        yield finding(CODE, op, f"`vmap` has no effect on an op that {reason}", op.spec.vmap.locate())


def _reason(op: Op) -> str | None:
    keyword_only = [argument.name for argument in op.tensor_arguments if argument.kwarg_only and not argument.written]
    if op.written:
        return f"writes {listed(argument.name for argument in op.written)}"
    if any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels):
        return "is composite"
    if keyword_only:
        return f"has keyword-only tensors: {listed(keyword_only)}"
    return None if op.tensor_arguments else "has no tensors"


RULE = Rule(CODE, check)
