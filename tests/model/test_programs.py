"""What expressions mean: programs, types, and what follows for the contract of an op."""

import json
import re

import pytest

from opgen.model.build import build_library
from opgen.model.compute.dtypes import TensorTypes
from opgen.model.compute.nodes import (
    Binary,
    Call,
    Cast,
    Compare,
    Given,
    Index,
    Load,
    Logical,
    Named,
    Number,
    Scalar,
    Select,
    SizeOf,
    Unary,
    ValueType,
)
from opgen.model.compute.steps import Step, in_order
from opgen.model.tensors import CheckCondition
from opgen.spec.load import load_library
from opgen.spec.written import render_written


@pytest.fixture
def op_of(tmp_path):
    """Return a function from an entry of `ops` without mistakes to the op, and to those derived from it."""

    def run(func, **entry):
        path = tmp_path / "ops.yaml"
        library = {"opgen": 1, "namespace": "mylib", "ops": [{"func": func, **entry}]}
        path.write_text(json.dumps(library), encoding="utf-8")
        loaded = load_library(path)
        built = build_library(loaded.library)
        assert not [*loaded.diagnostics, *built.diagnostics], built.diagnostics
        return next(op for op in built.library.ops if not op.is_derived)

    return run


def shown(value):  # noqa: C901, PLR0911, PLR0912 - one case a node
    """Write a value with the axes of what is read and the type of each operation."""
    match value:
        case Number(number):
            return repr(number)
        case Scalar(name) | Named(name):
            return name
        case SizeOf(size):
            return render_written(size)
        case Index(axis):
            return f"index({axis})"
        case Given(name):
            return f"given({name})"
        case Load(operand):
            start = f" from {render_written(operand.start)}" if operand.start else ""
            return f"{operand.argument}[{', '.join(str(dim.axis) for dim in operand.dims)}{start}]"
        case Unary(operator, operand):
            return f"({operator} {shown(operand)})"
        case Binary(operator, left, right):
            return f"({shown(left)} {operator} {shown(right)}):{type_of(value.type)}"
        case Compare(operator, left, right):
            return f"({shown(left)} {operator} {shown(right)})@{type_of(value.operand_type)}"
        case Logical(operator, operands):
            return f"({f' {operator} '.join(map(shown, operands))})"
        case Select(condition, then, otherwise):
            return f"({shown(then)} if {shown(condition)} else {shown(otherwise)}):{type_of(value.type)}"
        case Cast(dtype, operand):
            return f"{dtype}({shown(operand)})"
        case Call(name, arguments):
            return f"{name}({', '.join(map(shown, arguments))}):{type_of(value.type)}"


def type_of(type_):
    parts = ",".join(type_.tensors + type_.dtypes)
    return f"{type_.kind}{'~' if type_.weak else ''}{f'<{parts}>' if parts else ''}"


def lines(program):
    """Write a program, a line each for its axes, reductions, bindings and stores."""
    axes = (f"{'*' if axis.is_pack else ''}{axis.name}" for axis in program.axes)
    yield f"over {', '.join(axes)}" + (f", reducing {', '.join(program.reduced)}" if program.reduced else "")
    yield from (f"{r.name} = {r.function} {shown(r.value)}: {type_of(r.type)}" for r in program.reductions)
    yield from (f"{binding.name} := {shown(binding.value)}" for binding in program.bindings)
    for store in program.stores:
        yield f"{store.target}[{', '.join(str(d.axis) for d in store.dims)}] <- {shown(store.value)}"


X = {"x": "float [*b, n]", "return": "x.dtype [*b, n]"}


@pytest.mark.parametrize(
    ("func", "entry", "expected"),
    [
        (
            "f(Tensor x) -> Tensor",
            {"tensors": X, "reduce": {"m": "max(x, n)", "s": "sum(exp(x - m), n)"}, "pointwise": "exp(x - m) / s"},
            """over *b, n, reducing n
            m = max x[b, n]: float<x>
            s = sum exp_value: float<x>
            exp_value := exp((x[b, n] - m):float<x>):float<x>
            out[b, n] <- (exp_value / s):float<x>""",
        ),
        (
            "f(Tensor x) -> Tensor",
            {"tensors": {**X, "x": "float [*b, 2*n]"}, "pointwise": "x[..., :n] * x[..., n:]"},
            """over *b, n
            out[b, n] <- (x[b, n] * x[b, n from n]):float<x>""",
        ),
        (
            "f(Tensor x) -> Tensor",
            {"tensors": {**X, "x": "float [*b, n + 3]"}, "pointwise": "x[..., -n:] + x[..., 1:n + 1]"},
            """over *b, n
            out[b, n] <- (x[b, n from 3] + x[b, n from 1]):float<x>""",
        ),
        (
            "f(Tensor x, int heads) -> Tensor",
            {
                "tensors": {"x": "float [2*heads*d]", "return": "x.dtype [heads*d]"},
                "pointwise": "x[..., :heads*d] - x[..., heads*d:]",
            },
            """over dim_d_heads
            out[dim_d_heads] <- (x[dim_d_heads] - x[dim_d_heads from d * heads]):float<x>""",
        ),
        (
            "f(Tensor x, int k) -> Tensor",
            {
                "tensors": {"x": "float [n + k]", "return": "x.dtype [n]"},
                "checks": ["0 <= k < 9"],
                "pointwise": "x[..., k:]",
            },
            """over n
            out[n] <- x[n from k]""",
        ),
        (
            "f(Tensor x, Tensor scale, Tensor y) -> Tensor",
            {
                "tensors": {
                    "x": "float [rows, n]",
                    "scale": "float32 [rows]",
                    "y": "float [n, rows]",
                    "return": "x.dtype [rows, n]",
                },
                "pointwise": "sin(x) * scale + y",
            },
            """over rows, n
            out[rows, n] <- ((sin(x[rows, n]):float<x,scale,y> * scale[rows]):float<x,scale,y> + y[n, rows]):float<x,scale,y>""",
        ),
        (
            "f(Tensor x, float a) -> Tensor",
            {"tensors": X, "pointwise": "x * (a / 3)"},
            """over *b, n
            out[b, n] <- (x[b, n] * (a / 3):float<x>):float<x>""",
        ),
        (
            "f(Tensor x, Tensor i, int k) -> Tensor",
            {
                "tensors": {"x": "int8 [n]", "i": "int32 [n]", "return": "float32 [n]"},
                "pointwise": {"small": "x < n", "return": "x * 2 + i // k if small else index(n) / 2"},
            },
            """over n
            small := (x[n] < n)@int<x>
            out[n] <- (((x[n] * 2):int<x> + (i[n] // k):int<i>):int<x,i> if small else (index(n) / 2):float<x,i,int64>):float<x,i,int64>""",
        ),
        (
            "f(Tensor x, Tensor mask) -> Tensor",
            {
                "tensors": {"x": "float [n]", "mask": "bool [n]", "return": "bool [n]"},
                "pointwise": "0 < x <= 1 and not mask or isnan(x)",
            },
            """over n
            out[n] <- ((((0 < x[n])@float<x> and (x[n] <= 1)@float<x>) and (not mask[n])) or isnan(x[n]):bool)""",
        ),
        (
            "f(Tensor x) -> (Tensor total, Tensor place)",
            {
                "tensors": {"x": "float|integral [*b, n]", "total": "float64 [*b]", "place": "int64 [*b]"},
                "reduce": {"sums": "sum(x, n)", "place": "argmax(x, n)"},
                "pointwise": {"total": "float64(sums)"},
            },
            """over *b, n, reducing n
            sums = sum x[b, n]: number<x,int64>
            place = argmax x[b, n]: int<int64>
            total[b] <- float64(sums)
            place[b] <- place""",
        ),
        (
            "f(Tensor x, Tensor mask, int k) -> Tensor",
            {
                "tensors": {"x": "int8 [n]", "mask": "bool [n]", "return": "int64 [n]"},
                "reduce": {"m": "max(k if mask else 0, n)"},
                "pointwise": "x + m",
            },
            """over n, reducing n
            m = max (k if mask[n] else 0):int~: int<int64>
            out[n] <- (x[n] + m):int<x,int64>""",
        ),
    ],
)
def test_an_expression_becomes_a_program(func, entry, expected, op_of):
    program = op_of(func, autograd="none", **entry).program
    assert [*lines(program)] == [line.strip() for line in expected.splitlines()]


@pytest.mark.parametrize(
    ("func", "pointwise", "tensors"),
    [
        ("f(Tensor x, Tensor y) -> Tensor", "x * y", {"return": "promote(x, y) [*broadcast(x_shape, y_shape)]"}),
        ("f(Tensor x, Tensor y) -> Tensor", "x < y", {"return": "bool [*broadcast(x_shape, y_shape)]"}),
        ("f(Tensor x) -> Tensor", "-x", {"x": "float|integral [*x_shape]", "return": "x.dtype [*x_shape]"}),
        ("f(Tensor x) -> Tensor", "exp(x)", {"x": "float [*x_shape]", "return": "x.dtype [*x_shape]"}),
        ("f(Tensor x) -> Tensor", "x << 1", {"x": "integral [*x_shape]"}),
        ("f(Tensor x) -> Tensor", "int32(x)", {"return": "int32 [*x_shape]"}),
        ("f(Tensor m, Tensor x) -> Tensor", "x if m else 0", {"m": "bool [*m_shape]"}),
        ("f(Tensor x) -> (Tensor a, Tensor b)", {"a": "x + 1", "b": "x > 0"}, {"return.1": "bool [*x_shape]"}),
        ("f_(Tensor(a!) x, Tensor y) -> Tensor(a!)", "x + y", {"x": "float|integral [*x_shape]", "y": "x.dtype [*x_shape]"}),
        ("f(Tensor! out, Tensor x) -> ()", "x + 1", {"out": "x.dtype [*x_shape]"}),
    ],
)  # fmt: skip
def test_a_contract_that_is_not_stated_follows_from_the_expression(func, pointwise, tensors, op_of):
    op = op_of(func, pointwise=pointwise, autograd="none")
    derived = {entry.key.value.replace("return.1", "b"): entry.text.value for entry in op.spec.tensors}
    assert {key.replace("return.1", "b"): text for key, text in tensors.items()}.items() <= derived.items()


def test_an_output_without_an_entry_has_the_dims_along_which_its_value_varies(op_of):
    op = op_of(
        "f(Tensor x, Tensor w) -> Tensor",
        tensors={"x": "float [*b, n]", "w": "x.dtype [n]"},
        pointwise="x * w",
        autograd="none",
    )
    assert {entry.key.value: entry.text.value for entry in op.spec.tensors}["return"] == "x.dtype [*b, n]"


@pytest.mark.parametrize(
    ("x", "y", "pointwise", "names"),
    [
        ("float16", "bfloat16", "x + y", ("float32",)),
        ("int8", "uint8", "x + y", ("int16",)),
        ("int32", "float16", "x + y", ("float16",)),
        ("float16|int32", "bfloat16|int64", "x + y", ("int64", "float16", "bfloat16", "float32")),
        ("float16", "bfloat16", "x + y if given(y) else x", ("float16", "float32")),
    ],
)
def test_an_output_of_a_promoted_dtype_may_hold_what_no_tensor_does(x, y, pointwise, names, op_of):
    op = op_of(
        f"f(Tensor x, Tensor{'?' if 'given' in pointwise else ''} y) -> Tensor",
        tensors={"x": f"{x} [n]", "y": f"{y} [n]", "return": "promote(x, y) [n]"},
        pointwise=pointwise,
        autograd="none",
    )
    held = TensorTypes(op.tensors).of_output("out")
    assert held is not None
    assert held.names == names


@pytest.mark.parametrize(
    ("x", "number", "names"),
    [
        ("int8", "float alpha", ("float32",)),
        ("float16|int8", "float alpha", ("float16", "float32")),
        ("float16|int8", "float? alpha", ("int8", "float16", "float32")),
        ("int8", "int alpha", ("int8",)),
    ],
)
def test_an_output_of_a_promoted_dtype_counts_numbers(x, number, names, op_of):
    op = op_of(
        f"f(Tensor x, {number}) -> Tensor",
        tensors={"x": f"{x} [n]", "return": "promote(x, alpha) [n]"},
        pointwise="int8(x)",
        autograd="none",
    )
    held = TensorTypes(op.tensors).of_output("out")
    assert held is not None
    assert held.names == names


@pytest.mark.parametrize(
    ("func", "pointwise", "is_safe", "is_pointwise"),
    [
        ("f(Tensor x, Tensor y) -> Tensor", "x * y", True, True),
        ("f(Tensor x, Tensor w) -> Tensor", "x * w", True, True),
        ("f(Tensor x, Tensor rows) -> Tensor", "x * rows", True, False),
        ("f(Tensor x, Tensor z) -> Tensor", "x * z", False, False),
        ("f(Tensor x, Tensor wide) -> Tensor", "x * wide[..., :n]", False, False),
        ("f(Tensor x) -> Tensor", "x + index(n)", True, False),
        ("f(Tensor x) -> Tensor", "x / n", True, False),
    ],
)
def test_an_output_may_be_an_input_where_each_point_is_read_at_its_place(func, pointwise, is_safe, is_pointwise, op_of):
    known = {
        "x": "float [m, n]",
        "y": "x.dtype [m, n]",
        "w": "x.dtype [n]",
        "rows": "x.dtype [m]",
        "z": "x.dtype [n, m]",
        "wide": "x.dtype [m, 2*n]",
        "return": "x.dtype [m, n]",
    }
    tensors = {key: text for key, text in known.items() if key == "return" or re.search(rf"Tensor {key}\b", func)}
    op = op_of(func, tensors=tensors, pointwise=pointwise, autograd="none")
    assert (op.spec.alias_safe, "pointwise" in op.tags) == (is_safe, is_pointwise)


@pytest.mark.parametrize(
    ("reduce", "checks", "expected"),
    [
        ("max(x, n)", (), ["n > 0"]),
        ("argmin(x, n)", (), ["n > 0"]),
        ("argmax(x, n)", ("n > 0",), ["n > 0"]),
        ("min(x, *b, n)", (), ["prod(b) > 0", "n > 0"]),
        ("logsumexp(x, n)", (), []),
    ],
)
def test_what_needs_elements_asks_for_them(reduce, checks, expected, op_of):
    dtype, dims = "int64" if reduce.startswith("arg") else "x.dtype", "[]" if "*b" in reduce else "[*b]"
    op = op_of(
        "f(Tensor x) -> Tensor",
        tensors={"x": "float [*b, n]", "return": f"{dtype} {dims}"},
        checks=list(checks),
        reduce=reduce,
        autograd="none",
    )
    assert [check.text.value for check in op.spec.checks] == expected
    conditions = [step.check.written for step in op.tensors.steps if isinstance(step.check, CheckCondition)]
    assert conditions == expected


def test_what_is_written_and_not_read_is_a_destination(op_of):
    op = op_of("f(Tensor! out, Tensor! state, Tensor x) -> ()", pointwise={"out": "x * state", "state": "state + x"})
    assert [argument.overwrites for argument in op.arguments] == [True, False, False]


def test_its_kernels_and_its_reference_are_generated(op_of):
    op = op_of(
        "f.two(Tensor x) -> Tensor",
        pointwise="x * 2",
        dispatch={"CPU": "cpp", "CUDA": "cuda", "XPU": "python"},
        autograd="none",
    )
    assert [kernel.path for kernel in op.kernels[:2]] == [
        "generated/csrc/expressions/cpu/f_two.cpp",
        "generated/csrc/expressions/cuda/f_two.cu",
    ]
    assert op.kernels[2].symbol == "mylib_ops._expressions:fill_f_two"
    assert op.reference == "mylib_ops._expressions:f_two"


def test_derived_gradients_are_a_formula(op_of):
    op = op_of(
        "f(Tensor x, Tensor y, float a) -> Tensor",
        tensors={"x": "float [*b, n]", "y": "x.dtype [n]", "return": "x.dtype [*b, n]"},
        pointwise="a * x * n + y",
        autograd="derived",
    )
    (formula,) = op.gradients.formulas
    assert formula.arguments == ("x", "y")
    assert formula.text == "mylib_ops._expressions:f_backward(grad, a, x.shape, x.dtype, y.shape, y.dtype, n)"


def test_steps_are_put_in_order_however_long_their_chain_is():
    number = ValueType("float32")
    count = 5000
    steps = [Step(f"v{i}", Named(f"v{i + 1}", number)) for i in range(count)] + [Step("other", Number(1, number))]
    assert [step.name for step in in_order(steps)] == [*(f"v{i}" for i in reversed(range(count))), "other"]
