"""Codes of mistakes in the meaning of ``tensors`` and ``checks``, as opposed to their syntax."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example


def _op(result: str = "x.dtype [n]", y: str = "x.dtype [n]", check: str = "", key: str = "return") -> Example:
    """Return an ``ops.yaml`` of one op with these entries."""
    lines = [
        "opgen: 1",
        "namespace: mylib",
        "ops:",
        "  - func: f(Tensor x, Tensor? y, SymInt k, *, ScalarType? out_dtype=None) -> Tensor",
        f'    tensors: {{x: "float [n]", y: "{y}", {key}: "{result}"}}',
    ]
    if check:
        lines.append(f'    checks: ["{check}"]')
    return Example("\n".join(lines) + "\n")


def _error(number: int, name: str, summary: str, why: str, remedy: str, bad: Example, good: Example) -> Code:  # noqa: PLR0913, PLR0917 - one row of the table below
    return Code(f"OPG{number}", name, Severity.ERROR, summary, why, remedy, bad, good)


_GOOD = _op()

UNKNOWN_TENSOR = _error(
    160,
    "unknown-tensor",
    "A key of `tensors` must be a tensor argument or a fresh tensor among the returns, each at most once.",
    "An entry for anything else has no effect, and the argument that was meant goes unchecked.",
    "use the name of a tensor argument, `return`, `return.0`, or the name of a return",
    _op(key="result"),
    _GOOD,
)
UNKNOWN_SIZE = _error(
    161,
    "unknown-size",
    "Every name in a size or condition must be an argument, or a dim of some input.",
    "Outputs are allocated from the sizes of inputs; a size that no input has is unknown.",
    "name a dim of an input so, or add an int argument of this name",
    _op("x.dtype [m]"),
    _GOOD,
)
UNKNOWN_DTYPE = _error(
    162,
    "unknown-dtype",
    "A dtype must be one of torch's names, a class, a set under `dtypes`, `x.dtype`, or an argument of type "
    "ScalarType.",
    "Checks and allocations use dtypes by name; PyTorch would reject an unknown one when the library is imported.",
    "use a name of torch, such as `float32`, or a class, such as `float`",
    _op("flaot32 [n]"),
    _op("float32 [n]"),
)
UNSOLVABLE = _error(
    163,
    "unsolvable-size",
    "A computed size must be linear in at most one name that nothing else binds.",
    "`2*n` determines n by an exact division; many sizes satisfy `n//2` or `a*b`.",
    "bind the name by a bare dim of some tensor, or make it an int argument",
    _op(y="x.dtype [a*b]"),
    _op(y="x.dtype [k*b]"),
)
OPTIONAL = _error(
    164,
    "optional-size",
    "A size that only an optional argument provides can be used only where that argument is given.",
    "A call without the argument would read a size that does not exist.",
    "guard it: `not given(y) or m > 0` in a check, `(m if given(y) else 1)` in a size",
    _op("x.dtype [m]", y="x.dtype [m]"),
    _op("x.dtype [(m if given(y) else n)]", y="x.dtype [m]"),
)
KIND = _error(
    165,
    "wrong-kind",
    "Sizes must be integers, checks must be conditions, and both sides of a comparison must be of one kind.",
    "Python would accept `'sum' < 3` until the call; C++ would not compile.",
    "compare values of one kind",
    _op(check="n"),
    _op(check="n > 0"),
)
OUTPUT_DTYPE = _error(
    166,
    "output-dtype",
    "An output must have one dtype: a name, `x.dtype`, `promote(x, y)`, or `out_dtype or x.dtype`.",
    "The output is allocated before the kernel runs, so its dtype must follow from the arguments.",
    "name one dtype, or tie it to an argument",
    _op("float [n]"),
    _op("float32 [n]"),
)
DTYPE_CYCLE = _error(
    167,
    "dtype-cycle",
    "A chain of tied dtypes must end at a tensor with a dtype of its own.",
    "`x: y.dtype` and `y: x.dtype` only state that both are equal, not what is allowed.",
    "give one of the tensors a dtype or a class",
    _op(y="y.dtype [n]"),
    _GOOD,
)
DTYPE_ARGUMENT = _error(
    168,
    "dtype-argument",
    "`x.dtype` and `promote` need tensors that are always given; only arguments of type `ScalarType?` can precede "
    "`or`.",
    "If a dtype may be missing, the output may have none.",
    "write `out_dtype or x.dtype`, where `out_dtype` is a `ScalarType?` and `x` a tensor that is always given",
    _op("y.dtype [n]"),
    _op("out_dtype or x.dtype [n]"),
)
SHAPE = _error(
    169,
    "shape-form",
    "An input has at most one run of dims; an output must state every dim; only an output may have `?k`.",
    "Two runs could be split in many ways, and a dim without a size cannot be allocated.",
    "name the dims one by one",
    _op(y="x.dtype [*a, *b]"),
    _op(y="x.dtype [*a, n]"),
)
LAYOUT = _error(
    170,
    "layout-form",
    "A layout must fit the number of dims, and an output's layout must state every stride.",
    "A stride for a dim that doesn't exist can't be checked; `channels_last` is defined for four dims.",
    "name one stride a dim, `_` for those that may be anything, or `...` for the others",
    _op(y="x.dtype [n] channels_last"),
    _op(y="x.dtype [n] strides[1]"),
)
DEVICE = _error(
    171,
    "unknown-device",
    "`on` must be followed by a device type, a tensor, an argument of type Device, or `any`.",
    "A misspelt device would reject every call.",
    "use `cpu`, `cuda`, `any`, the name of a tensor, or of a Device argument",
    _op("x.dtype [n] on gpu"),
    _op("x.dtype [n] on cpu"),
)
INDEX = _error(
    172,
    "index-range",
    "An index or dim does not exist in the list or tensor that it is taken from.",
    "Reading beyond the end would be an error in every call.",
    "count from 0, or from the end with -1",
    _op("x.dtype [x.size(1)]"),
    _op("x.dtype [x.size(0)]"),
)
NAME_CLASH = _error(
    173,
    "name-clash",
    "A name must mean one thing: a size, a run of dims, a size that the kernel determines, or an argument.",
    "Generated code has one variable for each name.",
    "give the dim another name",
    _op("x.dtype [?n]"),
    _op("x.dtype [?kept<=n]"),
)
NEVER_NONE = _error(
    174,
    "never-none",
    "`given(x)` is only for optional arguments.",
    "The answer would always be yes, so the condition doesn't say what was meant.",
    "drop it, or make the argument optional",
    _op(check="given(x)"),
    _op(check="given(y)"),
)
DIVISION_BY_ZERO = _error(
    175,
    "division-by-zero",
    "A size is divided by 0.",
    "The check itself would fail in every call.",
    "divide by another number",
    _op("x.dtype [n//0]"),
    _op("x.dtype [n//2]"),
)
NONE_FORM = _error(
    176,
    "none-form",
    "Only a `Tensor?` can be `None` by condition: a return is then absent, and an argument must not be given.",
    "The schema promises a tensor to everyone who calls, traces or compiles the op.",
    "declare it as `Tensor?`, or state a form for every call",
    _op("None if k > 1 else x.dtype [n]"),
    _op(y="None if k > 1 else x.dtype [n]"),
)
FORM_CONDITION = _error(
    177,
    "form-condition",
    "The form of an input may depend only on scalars, strings, `given(x)` and `rank(x)`.",
    "The form determines which dims bind the sizes, so it must be chosen before any size is known.",
    "ask an argument, or `rank(x)`; quote a text; state what sizes decide under `checks`",
    _op(y="x.dtype [n] if n > 1 else float32 [n]"),
    _op(y="x.dtype [n] if k > 1 else float32 [n]"),
)
ALTERNATIVES = _error(
    178,
    "shape-alternatives",
    "Sizes in alternative shapes must be known from elsewhere, or bound by what all alternatives share; an output "
    "has one shape.",
    "`[m, 1]|[1, m]` matches a tensor of shape `[1, 1]` or `[5, 1]` in different ways.",
    "bind the names by another tensor",
    _op(y="x.dtype [m, 1]|[1, m]"),
    _op(y="x.dtype [n, 1]|[1, n]"),
)
FOLLOW_FROM = {
    "tensors": frozenset({UNKNOWN_SIZE, UNSOLVABLE, OPTIONAL, ALTERNATIVES}),
    "checks": frozenset({OPTIONAL}),
    "dtypes": frozenset({UNKNOWN_DTYPE}),
}
"""Code -> keys of ``ops.yaml``: if a value of such a key couldn't be read, the finding may only follow from that."""
