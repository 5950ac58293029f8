"""Codes of mistakes in gradient formulas."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example


def _ops(*entries: str) -> Example:
    return Example("opgen: 1\nnamespace: mylib\nops:\n" + "".join(f"  - {entry}\n" for entry in entries))


def _scale(formulas: str) -> Example:
    return _ops(f"func: scale(Tensor x, Tensor y) -> Tensor\n    fake: none\n    autograd: {formulas}")


def _top(formula: str) -> Example:
    return _ops(f"func: top(Tensor x) -> (Tensor low, Tensor high)\n    fake: none\n    autograd: {{x: {formula}}}")


FORMULA_SYNTAX = Code(
    id="OPG545",
    name="formula-syntax",
    severity=Severity.ERROR,
    summary="A gradient formula is not a Python expression.",
    why=(
        "A formula becomes a line of the generated `backward`: an expression over gradients, inputs and results. Use "
        "a function of your own, or a kernel, for anything that needs statements."
    ),
    bad=_scale("{x: grad y, y: grad * x}"),
    good=_scale("{x: grad * y, y: grad * x}"),
    remedy="write an expression, or call a function, `module:function(grad, x)`",
)
FORMULA_NAME = Code(
    id="OPG546",
    name="formula-name",
    severity=Severity.ERROR,
    summary="A gradient formula uses an unknown name.",
    why=(
        "A formula may use gradients (`grad`, `grads[0]`, `grad_NAME`), arguments, results (`result`, `result0`, or "
        "by name) and sizes of `tensors`, which are saved from the call. It may call functional ops of the library, "
        "`torch` and Python's builtins."
    ),
    bad=_scale("{x: grad * z, y: grad * x}"),
    good=_scale("{x: grad * y, y: grad * x}"),
    remedy="name gradients, arguments, results or sizes",
)
FORMULA_GRADIENT = Code(
    id="OPG519",
    name="formula-gradient",
    severity=Severity.ERROR,
    summary="A gradient formula uses the gradient of a return that has none, or `grad` where several returns have one.",
    why=(
        "`grad` is the gradient of the only return that has one; if there are several, name each, as in "
        "`derivatives.yaml` (`check_grad_usage` in `tools/autograd/load_derivatives.py`). A return of an integer "
        "dtype, or one that `output_differentiability` excludes, has no gradient."
    ),
    bad=_top("grad"),
    good=_top("grad_low + grad_high"),
    remedy="name the gradient of a return, `grads[0]` or `grad_NAME`",
)
FORMULA_CALL = Code(
    id="OPG525",
    name="formula-call",
    severity=Severity.ERROR,
    summary="A gradient formula calls an op of the library in a way that its schema does not allow.",
    why="The call would raise in `backward`, long after the mistake was made.",
    bad=_ops(
        "func: twice_backward(Tensor grad, float by) -> Tensor\n    fake: none",
        "func: twice(Tensor x, float by) -> Tensor\n    fake: none\n    autograd: {x: twice_backward(grad)}",
    ),
    good=_ops(
        "func: twice_backward(Tensor grad, float by) -> Tensor\n    fake: none",
        'func: twice(Tensor x, float by) -> Tensor\n    fake: none\n    autograd: {x: "twice_backward(grad, by)"}',
    ),
    remedy="pass what the schema asks for; a formula for several arguments needs as many results",
)
REPEATED_GRADIENT = Code(
    id="OPG531",
    name="repeated-gradient",
    severity=Severity.ERROR,
    summary="An argument has two gradient formulas.",
    why="Only one of them can be right.",
    bad=_scale('{x: grad * y, "x, y": "(grad * y, grad * x)"}'),
    good=_scale('{"x, y": "(grad * y, grad * x)"}'),
    remedy="name each argument once",
)
