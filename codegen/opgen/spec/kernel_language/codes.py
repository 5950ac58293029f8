"""Codes of syntax errors in ``pointwise`` and ``reduce``."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example


def _op(pointwise: str) -> Example:
    return Example(
        "opgen: 1\n"
        "namespace: mylib\n"
        "ops:\n"
        "  - func: f(Tensor x, Tensor y) -> Tensor\n"
        '    tensors: {x: "float [n]", y: "x.dtype [n]", return: "x.dtype [n]"}\n'
        f'    pointwise: "{pointwise}"\n'
    )


KERNEL_SYNTAX = Code(
    id="OPG157",
    name="kernel-syntax",
    severity=Severity.ERROR,
    summary="An entry of `pointwise` or `reduce` must be one value, written as in Python.",
    why=(
        "One expression generates the kernels for every backend, the reference and the gradient, so it contains only "
        "what all of them can express: names of arguments and dims, numbers, operators, functions, casts and slices "
        "of the last dim."
    ),
    bad=_op("x +* y"),
    good=_op("x + 2 * y"),
    remedy="write one value, such as `x * sigmoid(y)` or `x if x > y else y`",
)
