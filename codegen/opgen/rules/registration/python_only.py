"""OPG543: an op that a process without Python can't run, in a library with ``define_in: both``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG543",
    name="python-only",
    severity=Severity.INFO,
    summary="An op of a library with `define_in: both` can run only in a process with Python.",
    why=(
        "The library of definitions serves processes without Python. What the package does in Python is missing "
        "there: kernels in Python, the selection of a kernel by a `Device` argument, and the hidden forms that "
        "exported models contain for in-place and out= ops that are registered by hand. A model exported with such "
        "an op does not run."
    ),
    bad=ops_yaml("order(Tensor x) -> Tensor\ndispatch: {CPU: python}", head="define_in: both\n"),
    good=ops_yaml("order(Tensor x) -> Tensor\ndispatch: {CPU: cpp}", head="define_in: both\n"),
    remedy="write a kernel of kind `cpp` or `cuda`, or keep the op out of models for such processes",
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Report ops that need the Python package: for their kernels, formulas or layers."""
    if library.spec.define_in == "both" and (reason := _reason(op)):
        yield finding(CODE, op, f"a process without Python can't run this op: {reason}")


def _reason(op: Op) -> str:
    if op.registered:
        return "it is registered by hand, and the package defines the form that exported models hold" if op.twin else ""
    if not op.is_compiled:
        return "its kernels are in Python"
    by_device = not op.tensor_arguments and not all(kernel.is_composite for kernel in op.kernels)
    return "its kernel is chosen by a device, which the package does" if by_device else ""


RULE = Rule(CODE, check, reads=frozenset({"define_in", "dispatch", "registered"}))
