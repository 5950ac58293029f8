"""Codes of mistakes in the meaning of ``pointwise`` and ``reduce``, as opposed to their syntax."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example


def _op(
    pointwise: str = "", reduce: str = "", *, y: str = "x.dtype [n]", result: str = "x.dtype [m, n]", more: str = ""
) -> Example:
    """Return an ``ops.yaml`` of one op over ``x: [m, n]`` with these entries."""
    lines = [
        "opgen: 1",
        "namespace: mylib",
        "ops:",
        "  - func: f(Tensor x, Tensor y, Tensor? z=None) -> Tensor",
        f'    tensors: {{x: "float [m, n]", y: "{y}", z: "x.dtype [n]", return: "{result}"}}',
        *([f"    reduce: {reduce}"] if reduce else []),
        *([f"    pointwise: {pointwise}"] if pointwise else []),
        *([f"    {more}"] if more else []),
    ]
    return Example("\n".join(lines) + "\n")


def _writing(out: str, value: str) -> Example:
    """Return an ``ops.yaml`` of one op that writes ``x: [2*n]`` and ``out``."""
    return Example(
        "opgen: 1\nnamespace: mylib\nops:\n"
        "  - func: f(Tensor! x, Tensor! out) -> ()\n"
        f'    tensors: {{x: "float [2*n]", out: "{out}"}}\n'
        f'    pointwise: {{x: "x * 2", out: "{value}"}}\n'
    )


def _error(number: int, name: str, summary: str, why: str, remedy: str, bad: Example, good: Example) -> Code:  # noqa: PLR0913, PLR0917 - one row of the table below
    return Code(f"OPG{number}", name, Severity.ERROR, summary, why, remedy, bad, good)


_GOOD = _op("x * y")

UNKNOWN_NAME = _error(
    250,
    "expression-name",
    "An expression may use only arguments, sizes of `tensors`, results of `reduce` and its own entries.",
    "Everything that a kernel reads must be declared.",
    "name an argument, a size, or an entry of `pointwise` or `reduce`",
    _op("x * w"),
    _GOOD,
)
UNKNOWN_FUNCTION = _error(
    251,
    "expression-function",
    "An expression calls an unknown function, or one with the wrong number of arguments.",
    "Every backend has to compute each function alike, and the gradient of each must be known.",
    "use a function of the table in docs/expressions.md, or write the kernel by hand",
    _op("x * swish(y)"),
    _op("x * silu(y)"),
)
REDUCTION = _error(
    252,
    "reduction-form",
    "Each entry of `reduce` must be one reduction, all along the same dims; `pointwise` may contain none.",
    "Each reduction is a pass over a row; a kernel runs them one after the other and then computes the rest.",
    "write each reduction as an entry of `reduce`, and use it by its name",
    _op("x / sum(x, n)"),
    _op("x / s", '{s: "sum(x, n)"}'),
)
AXIS = _error(
    253,
    "expression-axis",
    "Values lie along dims that `tensors` names; a result must have every dim along which its value varies.",
    "Tensors are aligned by the names of their dims, never by position, so that each element of a result has one "
    "value.",
    "name a dim of `tensors`, reduce along the dim that is missing, or add it to the result",
    _op("x * y", result="x.dtype [n]"),
    _GOOD,
)
DIMS = _error(
    254,
    "expression-dims",
    "A tensor that an expression reads or writes must have one form in `tensors` with all dims named, and a slice "
    "must be in range.",
    "The names determine which elements are combined; a dim without a name, or a form by condition, leaves that open.",
    "state the tensor's dims by names",
    _op("x * y", y="x.dtype [_]"),
    _GOOD,
)
TARGET = _error(
    255,
    "expression-target",
    "Each result and each written argument needs a value; any other key must be a new name.",
    "A result that is not computed would be uninitialised memory.",
    "give each result a value, `{name: value}`, and no other argument",
    _op('{y: "x * 2", return: x}'),
    _op('{twice: "x * 2", return: twice}'),
)
UNUSED = Code(
    "OPG256",
    "unused-entry",
    Severity.WARNING,
    "An entry that is not a result must be used by another entry.",
    "An unused name is a typo, or a result that was forgotten.",
    "use it, or remove it",
    _op('{twice: "x * 2", return: "x * y"}'),
    _op('{twice: "x * 2", return: "twice * y"}'),
)
OPTIONAL = _error(
    257,
    "unguarded-optional",
    "An optional argument is read without `given(x)`.",
    "A kernel would read through a null pointer.",
    "write `… if given(x) else …`",
    _op("x * z"),
    _op("x * z if given(z) else x"),
)
TWO_SOURCES = _error(
    258,
    "expression-and-kernel",
    "An op with an expression must have neither a kernel of its own nor a `reference`.",
    "Two sources of one kernel would drift apart; kernel and reference are generated from the expression.",
    "keep the expression, or the hand-written source",
    _op("x * y", more="reference: x * y"),
    _GOOD,
)
MOVED = _error(
    259,
    "read-elsewhere",
    "A kernel reads an argument that it writes at a place other than the one it writes.",
    "Elements are computed in any order and in parallel: one would read what another may or may not have written yet.",
    "read another tensor, or write to a result of its own",
    _writing("x.dtype [n]", "x[..., :n]"),
    _writing("x.dtype [2*n]", "x"),
)
KIND = _error(
    470,
    "expression-kind",
    "Operators, functions and conditions must be applied to values of a suitable kind.",
    "C++, CUDA and Triton would each do something else, or none would compile.",
    "compare to make a truth value, `x > 0`; cast to make a number, `float32(x)`",
    _op("x & y"),
    _GOOD,
)
STORED = _error(
    471,
    "stored-kind",
    "A value must fit the dtype of its result: a floating-point value becomes an integer only by a cast.",
    "PyTorch rejects it as well (`result type Float can't be cast to …`): a loss of precision should be explicit.",
    "cast the value, `int32(x)`, or give the result another dtype",
    _op("x * y", result="int32 [m, n]"),
    _op("int32(x * y)", result="int32 [m, n]"),
)
DTYPE = _error(
    472,
    "expression-dtype",
    "Expressions compute with `bool`, `uint8`, `int8` to `int64`, floating-point dtypes and `float8`, one kind per "
    "tensor.",
    "Complex numbers have no order and different functions; a boolean is not a number.",
    "give the tensor a class such as `float`, `integral` or `bool`, or write the kernel by hand",
    _op("x * y", y="complex64 [n]", result="complex64 [m, n]"),
    _GOOD,
)

UNDERIVED = _error(
    670,
    "underived-gradient",
    "`autograd: derived` requires an expression that has a derivative.",
    "The gradient is derived from the expression symbolically; a product of many elements, and integers, have none "
    "here.",
    "write formulas, `{x: …}`, or state `autograd: none`",
    _op("int32(x * y)", result="int32 [m, n]", more="autograd: derived"),
    _op("x * y", more="autograd: derived"),
)
