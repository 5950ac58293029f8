"""Finds conflicts of an expression with its op: other sources of the kernel, results that are no tensors."""

from __future__ import annotations

from opgen.model.compute import codes
from opgen.model.compute.names import ExpressionContext
from opgen.schema.types import is_plain_tensor
from opgen.source import Text
from opgen.spec.report import Report


def conflicts(context: ExpressionContext, report: Report) -> None:
    """Report everything that an op with an expression can't have."""
    spec = context.spec
    if spec.registered is not None:
        message = "the op is registered by hand, and has an expression"
        report.add(codes.TWO_SOURCES, message, spec.registered.locate(), "keep one of them")
    if spec.reference is not None:
        message = "the reference of an expression is generated"
        report.add(codes.TWO_SOURCES, message, spec.reference.locate(), "remove `reference`")
    if isinstance(spec.autograd, Text) and spec.autograd.value == "composite":
        message = "the kernel of an expression is made of no other ops"
        report.add(codes.TWO_SOURCES, message, spec.autograd.locate(), "write `derived`, or formulas")
    for entry in spec.dispatch or ():
        key = entry.key.value
        place = entry.key.locate()
        if entry.symbol is not None or entry.file is not None or entry.allocates:
            message = f"the kernel for {key} is generated from the expression"
            report.add(codes.TWO_SOURCES, message, place, f"write `{key}: {entry.kind}`, or remove the expression")
        elif key.startswith("Composite") and entry.kind != "python":
            message = f"an expression gives kernels of single backends, found {key}"
            report.add(codes.TWO_SOURCES, message, place, "write `{CPU: cpp, CUDA: cuda}`")
    for name in context.targets:
        argument = context.arguments.get(name)
        type_ = argument.type if argument else next(each.type for each in context.fresh if each.name == name)
        if not is_plain_tensor(type_):
            message = f"'{name}' is no tensor that is always there"
            report.add(codes.TARGET, message, context.place, "declare it as `Tensor`, or write the kernel by hand")
