"""OPG507: a backend kernel that no call can reach, since no tensor carries the backend's dispatch key."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, listed, ops_yaml
from opgen.schema.nodes import BaseType, Type
from opgen.schema.types import without_optional

CODE = Code(
    id="OPG507",
    name="unreachable-kernel",
    severity=Severity.ERROR,
    summary="An op without tensor and Device arguments has a kernel for a backend.",
    why=(
        "The dispatcher selects the backend by the tensor arguments; without one nothing selects it, and the call "
        "fails (pytorch/pytorch#129389). opgen can generate the selection by a Device argument."
    ),
    bad=ops_yaml("ramp(int length) -> Tensor\ndispatch: {CPU: cpp, CUDA: cuda}"),
    good=ops_yaml("ramp(int length, *, Device device) -> Tensor\ndispatch: {CPU: cpp, CUDA: cuda}"),
    remedy="add a Device argument, or write one kernel for `CompositeExplicitAutograd`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report backend kernels of ops without tensor and device arguments."""
    if op.tensor_arguments or any(_is_device(argument.type) for argument in op.arguments):
        return
    keys = [kernel.dispatch_key for kernel in op.kernels if not kernel.is_composite]
    if keys:
        message = f"kernels for {listed(keys)}, but neither a tensor nor a Device argument to choose between them by"
        yield finding(CODE, op, message)


def _is_device(type_: Type) -> bool:
    inner = without_optional(type_)
    return isinstance(inner, BaseType) and inner.name == "Device"


RULE = Rule(CODE, check)
