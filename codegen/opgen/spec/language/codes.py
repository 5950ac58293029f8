"""Codes of syntax errors in ``tensors``, ``dtypes`` and ``checks``."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example


def _op(tensors: str, checks: str = "") -> Example:
    """Return an ``ops.yaml`` of one op, ``f(Tensor x, Tensor y) -> Tensor``, with these entries."""
    lines = [
        "opgen: 1",
        "namespace: mylib",
        "ops:",
        "  - func: f(Tensor x, Tensor y) -> Tensor",
        f'    tensors: {{x: "float [n]", y: "x.dtype [m]", return: "{tensors}"}}',
    ]
    if checks:
        lines.append(f'    checks: ["{checks}"]')
    return Example("\n".join(lines) + "\n")


_GOOD = _op("x.dtype [n]", "n % 8 == 0")

TENSOR_SYNTAX = Code(
    id="OPG150",
    name="tensor-syntax",
    severity=Severity.ERROR,
    summary="An entry of `tensors` does not have the form `DTYPE [DIMS] LAYOUT DEVICE VALUES`, in this order.",
    why="A contract that cannot be read cannot be enforced: no fake kernel, no checks, no samples.",
    bad=_op("x.dtype"),
    good=_GOOD,
    remedy="write the dtype, then the dims in brackets, then layout, device and value facts where needed",
)

DIM_SYNTAX = Code(
    id="OPG151",
    name="dim-syntax",
    severity=Severity.ERROR,
    summary="Dims must be in brackets and separated by commas: `n`, `2*n`, `*batch`, `_`, `...`, `?k`.",
    why="The dims tie the sizes of all tensors together; a misread one would check the wrong thing.",
    bad=_op("x.dtype [n m]"),
    good=_GOOD,
    remedy="separate dims by commas and close the bracket",
)

EXPRESSION_SYNTAX = Code(
    id="OPG152",
    name="expression-syntax",
    severity=Severity.ERROR,
    summary="A size or a condition must be written as in Python.",
    why=(
        "One tree is rendered both to Python (fakes) and to C++ (checks), so the language contains only what both "
        "can express."
    ),
    bad=_op("x.dtype [n]", "n % 8 =="),
    good=_GOOD,
    remedy="complete the expression; a choice between sizes needs parentheses, `[(m if flag else 1)]`",
)

FUNCTION_CALL = Code(
    id="OPG153",
    name="function-call",
    severity=Severity.ERROR,
    summary="The functions are `ceil`, `min`, `max`, `prod`, `len`, `rank`, `numel`, `given`, `promote` and `broadcast`.",
    why="Other functions can't be rendered to both Python and C++, or have no meaning for symbolic sizes.",
    bad=_op("x.dtype [floor(n)]"),
    good=_op("x.dtype [min(n, m)]"),
    remedy="use one of the functions of the language with its number of arguments",
)

TRUE_DIVISION = Code(
    id="OPG154",
    name="true-division",
    severity=Severity.ERROR,
    summary="`/` is allowed only inside `ceil(a/b)`.",
    why="A size is an integer, so a division must state whether it rounds down or up.",
    bad=_op("x.dtype [n/2]"),
    good=_op("x.dtype [n//2]"),
    remedy="write `a//b` to round down or `ceil(a/b)` to round up",
)

CHOICES = Code(
    id="OPG155",
    name="choice-not-constant",
    severity=Severity.ERROR,
    summary="The choices after `in` are numbers, strings, `True`, `False`, `None` or names of dtypes.",
    why="Choices become a `Literal` in the stub and the values that samples try, so they must be known in advance.",
    bad=_op("x.dtype [n]", "n in (8, m + 1)"),
    good=_op("x.dtype [n]", "n in (8, 16)"),
    remedy="compare with `==` and join by `or`",
)

TOO_LARGE = Code(
    id="OPG156",
    name="expression-too-large",
    severity=Severity.ERROR,
    summary="Numbers fit into 64 bits, and an expression is nested at most 100 levels deep.",
    why="Sizes are `int64_t` in PyTorch, and compilers reject deeper expressions.",
    bad=_op("x.dtype [99999999999999999999]"),
    good=_GOOD,
    remedy="split the expression, or name its parts by dims",
)
