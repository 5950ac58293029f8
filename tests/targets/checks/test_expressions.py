"""Expressions mean the same in the author's language, in Python and in C++."""

from __future__ import annotations

import math
import random
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opgen.model.evaluate_expression import Environment, UnreadableError, evaluate_expression
from opgen.model.sample_values import DtypeValue, TensorValue
from opgen.spec.expression import (
    Binary,
    Call,
    Comparison,
    Conditional,
    Constant,
    Item,
    Logical,
    Membership,
    Name,
    Negative,
    Not,
)
from opgen.targets.expressions import Names, render_cpp, render_python, render_written
from opgen.targets.names import cpp_name, python_name
from opgen.targets.templates import render

SCHEMA = (
    "f(Tensor x, Tensor? y, SymInt k, SymInt? maybe, int plain, float eps, str mode, bool flag, bool? tri, SymInt[] pad, "
    "ScalarType dtype, ScalarType? out_dtype) -> ()"
)
ARGUMENTS = {
    "k": [-3, 0, 2, 7],
    "maybe": [None, 0, 5],
    "plain": [-1, 0, 4],
    "eps": [-0.5, 0.0, 2.5],
    "mode": ["sum", "mean", "a\0b", 'quo"te'],
    "flag": [True, False],
    "tri": [None, True, False],
    "pad": [(1, -2), (0, 3)],
    "dtype": ["float32", "int8"],
    "out_dtype": [None, "float32"],
    "x": [(2, 3), (0,), ()],
    "y": [None, (4, 5)],
}
SIZES = {"n": [0, 1, 6], "class": [2, 9]}
PACKS = {"batch": [(), (3,), (2, 5)]}


@pytest.fixture(scope="module")
def op(make_op):
    return make_op(SCHEMA)


def _names(op, rename):
    return Names(op.argument, (*SIZES, *PACKS), frozenset(PACKS), rename)


# --- random expressions: `pick` chooses from a sequence -----------------------------------------------------------------
def number(pick, depth):  # noqa: PLR0911 - one kind of node after the other
    leaves = [Constant(0), Constant(3), Constant(-2), Constant(100_000), Name("n"), Name("class"), Name("k")]
    leaves += [
        Name("plain"),
        Item("pad", 0),
        Item("pad", -1),
        Call("prod", (Name("batch"),)),
        Call("len", (Name("pad"),)),
    ]
    leaves += [Call("rank", (Name("x"),)), Call("numel", (Name("x"),))]
    if depth == 0:
        return pick(leaves)
    kind = pick(["leaf", "binary", "binary", "negative", "ceil", "extreme", "choice"])
    if kind == "binary":
        return Binary(pick(["+", "-", "*", "//", "%"]), number(pick, depth - 1), number(pick, depth - 1))
    if kind == "negative":
        operand = number(pick, depth - 1)
        return operand if isinstance(operand, Constant) else Negative(operand)  # the parser joins sign and number
    if kind == "ceil":
        return Call("ceil", (Binary("/", number(pick, depth - 1), number(pick, depth - 1)),))
    if kind == "extreme":
        return Call(pick(["min", "max"]), tuple(number(pick, depth - 1) for _ in range(pick([2, 3]))))
    if kind == "choice":
        return Conditional(truth(pick, depth - 1), number(pick, depth - 1), number(pick, depth - 1))
    return pick(leaves)


def truth(pick, depth):
    leaves = [Name("flag"), Name("tri"), Call("given", (Name("y"),)), Call("given", (Name("maybe"),))]
    leaves += [Comparison((pick(["==", "!="]),), (Name("maybe"), pick([Constant(None), Constant(5)])))]
    leaves += [Comparison((pick(["==", "!="]),), (Name("mode"), Constant(pick(ARGUMENTS["mode"]))))]
    leaves += [
        Comparison((pick(["<", "<=", ">", ">="]),), (Name("eps"), pick([Constant(0.5), Constant(0), Name("n")])))
    ]
    leaves += [Membership(Name("mode"), (Constant("sum"), Constant("a\0b")), pick([True, False]))]
    leaves += [Membership(Name("dtype"), (Name("float32"), Name("float64")), pick([True, False]))]
    leaves += [Membership(Name("out_dtype"), (Constant(None), Name("int8")), pick([True, False]))]
    leaves += [Comparison(("==",), (Name("out_dtype"), Name("float32")))]
    if depth == 0:
        return pick(leaves)
    kind = pick(["leaf", "compare", "compare", "member", "not", "logical", "logical"])
    if kind == "compare":
        count = pick([1, 1, 2])
        operators = tuple(pick(["==", "!=", "<", "<=", ">", ">="]) for _ in range(count))
        return Comparison(operators, tuple(number(pick, depth - 1) for _ in range(count + 1)))
    if kind == "member":
        return Membership(number(pick, depth - 1), tuple(map(Constant, pick([(0,), (1, 2, 3)]))), pick([True, False]))
    if kind == "not":
        return Not(truth(pick, depth - 1))
    if kind == "logical":
        return Logical(pick(["and", "or"]), tuple(truth(pick, depth - 1) for _ in range(pick([2, 3]))))
    return pick(leaves)


def environment(pick):
    return {name: pick(values) for name, values in {**ARGUMENTS, **SIZES, **PACKS}.items()}


# --- what an expression means -------------------------------------------------------------------------------------------
def meaning(expression, values):
    wrapped = dict(values)
    for name in ("x", "y"):
        wrapped[name] = None if values[name] is None else TensorValue(values[name], "float32")
    for name in ("dtype", "out_dtype"):
        wrapped[name] = None if values[name] is None else DtypeValue(values[name])
    try:
        value = evaluate_expression(expression, Environment(wrapped, {}))
    except UnreadableError:
        return "division by zero"
    return bool(value) if value is None or isinstance(value, bool) else value


class FakeTensor:
    def __init__(self, shape):
        self.shape = shape

    def dim(self):
        return len(self.shape)

    def numel(self):
        return math.prod(self.shape)


def python_value(expression, values, op):
    torch = SimpleNamespace(
        float32="float32",
        float64="float64",
        int8="int8",
        sym_min=min,
        sym_max=max,
        sym_not=lambda value: not value,
    )
    tensors = {name: None if values[name] is None else FakeTensor(values[name]) for name in ("x", "y")}
    scope = {
        "torch": torch,
        "math": math,
        **{python_name(name): value for name, value in {**values, **tensors}.items()},
    }
    try:
        value = eval(render_python(expression, _names(op, python_name)), scope)  # noqa: S307 - what was rendered is what is tested
    except ZeroDivisionError:
        return "division by zero"
    return bool(value) if value is None or isinstance(value, bool) else value


@st.composite
def cases(draw):
    def pick(choices):
        return draw(st.sampled_from(choices))

    make = pick([number, truth])
    return make(pick, pick([0, 1, 2, 3])), environment(pick)


@settings(max_examples=150, deadline=None)
@given(case=cases())
def test_python_text_means_what_the_expression_means(op, case):
    expression, values = case
    text = render_python(expression, _names(op, python_name))
    assert python_value(expression, values, op) == meaning(expression, values), text


@settings(max_examples=100, deadline=None)
@given(case=cases())
def test_written_text_reads_back_as_the_same_expression(expression, case):
    tree, _ = case
    text = render_written(tree)
    if "\\" not in text:
        assert render_written(expression(text)) == text


def _literal(name, value):
    if name in ("x", "y"):
        return "std::nullopt" if value is None else f"FakeTensor{{{{{', '.join(map(str, value))}}}}}"
    if name in ("pad", "batch"):
        return f"{{{', '.join(map(str, value))}}}"
    if name in ("dtype", "out_dtype"):
        types = {"float32": "ScalarType::Float", "int8": "ScalarType::Char", None: "std::nullopt"}
        return types[value]
    if isinstance(value, str):
        return f'std::string("{value}", {len(value)})'.replace("\0", "\\000").replace('o"t', 'o\\"t')
    return (
        {None: "std::nullopt", True: "true", False: "false"}.get(value, str(value))
        if value not in (0, 1)
        else (str(value).lower())
    )


TYPES = {
    "x": "FakeTensor",
    "y": "std::optional<FakeTensor>",
    "k": "int64_t",
    "maybe": "std::optional<int64_t>",
    "plain": "int64_t",
    "eps": "double",
    "mode": "std::string",
    "flag": "bool",
    "tri": "std::optional<bool>",
    "pad": "std::vector<int64_t>",
    "dtype": "ScalarType",
    "out_dtype": "std::optional<ScalarType>",
    "n": "int64_t",
    "class": "int64_t",
    "batch": "std::vector<int64_t>",
}


@pytest.mark.compile
def test_cpp_text_means_what_the_expression_means(op, tmp_path):
    torch = pytest.importorskip("torch")
    chance = random.Random(20)  # noqa: S311 - the cases should be the same each time
    names = _names(op, cpp_name)
    view = SimpleNamespace(namespace="mylib", package="mylib_ops", folder="mylib_ops", abis=("stable",))
    (tmp_path / "mylib_ops" / "checks").mkdir(parents=True)
    for header in ("abi_stable.h", "checks/messages.h", "checks/sizes.h"):
        (tmp_path / "mylib_ops" / header).write_text(render(f"cpp/{header}.j2", view))
    lines = [
        "#include <mylib_ops/checks/sizes.h>",
        "#include <iostream>",
        "namespace mylib {",
        "using ScalarType = torch::headeronly::ScalarType;",
        "struct FakeTensor {",
        "  std::vector<int64_t> shape;",
        "  int64_t dim() const { return checks::length(shape); }",
        "  int64_t numel() const { return checks::product(shape); }",
        "};",
        "void run() {",
    ]
    expected = []
    for _ in range(12):
        values = environment(chance.choice)
        lines.append("{")
        lines += [
            f"[[maybe_unused]] const {type_} {cpp_name(name)} = {_literal(name, values[name])};"
            for name, type_ in TYPES.items()
        ]
        for _ in range(20):
            tree = chance.choice([number, truth])(chance.choice, chance.randrange(4))
            expected.append(meaning(tree, values))
            lines.append(f"try {{ std::cout << ({render_cpp(tree, names)}) << '\\n'; }}")
            lines.append('catch (const std::runtime_error&) { std::cout << "division by zero\\n"; }')
        lines.append("}")
    source = "\n".join([*lines, "}", "}", "int main() { mylib::run(); }"])
    (tmp_path / "cases.cpp").write_text(source)
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-bool-compare", "-Wno-div-by-zero", "-I."]
    flags.append("-DTORCH_TARGET_VERSION=0x020a000000000000")
    folder = Path(torch.__file__).parent
    torch_flags = [f"-isystem{folder}/include", f"-L{folder}/lib", f"-Wl,-rpath,{folder}/lib", "-ltorch_cpu"]
    subprocess.run(["g++", *flags, "cases.cpp", "-o", "cases", *torch_flags], cwd=tmp_path, check=True)
    printed = subprocess.run(["./cases"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout.splitlines()
    assert printed == [str(int(value) if isinstance(value, bool) else value) for value in expected]


@pytest.mark.parametrize(
    ("text", "python", "cpp"),
    [
        ("2*n + 1", "2 * n + 1", "2 * n + 1"),
        ("2*(n + 1)", "2 * (n + 1)", "2 * (n + 1)"),
        ("n - (k - 1)", "n - (k - 1)", "n - (k - 1)"),
        ("ceil(n/k)", "-(-n // k)", "checks::ceil_div(n, k)"),
        ("ceil((n + 1)/k)", "-(-(n + 1) // k)", "checks::ceil_div(n + 1, k)"),
        ("n // 2 % 3", "n // 2 % 3", "checks::floor_mod(checks::floor_div(n, 2), 3)"),
        ("max(n, k, 1)", "torch.sym_max(torch.sym_max(n, k), 1)", "std::max<int64_t>({n, k, 1})"),
        ("(n if flag else 1)", "n if flag else 1", "flag ? n : 1"),
        ("n in (64, 80)", "(n == 64) | (n == 80)", "n == 64 || n == 80"),
        ("plain in (64, 80)", "plain in (64, 80)", "plain == 64 || plain == 80"),
        ("mode in ('sum', 'mean')", 'mode in ("sum", "mean")', 'mode == "sum" || mode == "mean"'),
        ("out_dtype in (None, int8)", "out_dtype in (None, torch.int8)", None),
        ("maybe == None or maybe > 0", "maybe is None or maybe > 0", "!maybe.has_value() || maybe.value() > 0"),
        ("given(y) == flag", "(y is not None) == flag", "y.has_value() == flag"),
        ("tri and n > 0", "tri is True and n > 0", "tri.value_or(false) && n > 0"),
        ("not (flag and given(y))", "not (flag and y is not None)", "!(flag && y.has_value())"),
        ("n == 0 or n % k == 0", "n == 0 or n % k == 0", "n == 0 || checks::floor_mod(n, k) == 0"),
        ("n == 0 or k == 0", "(n == 0) | (k == 0)", "n == 0 || k == 0"),
        ("flag and n > 0 or given(y)", "(flag and n > 0) | (y is not None)", "(flag && n > 0) || y.has_value()"),
        ("given(y) and n > 0 and y.size(0) == k", "y is not None and (n > 0) & (y.size(0) == k)", None),
        ("n > 0 and given(y) and y.size(0) == k", "n > 0 and y is not None and y.size(0) == k", None),
        ("n == 1 or pad[0] == k", "n == 1 or pad[0] == k", None),
        ("x.size(-1) + y.size(0)", "x.size(-1) + y.size(0)", "x.size(-1) + y->size(0)"),
        ("eps > 1e-30", "eps > 1e-30", "eps > 1e-30"),
    ],
)
def test_texts_are_idiomatic(op, expression, text, python, cpp):
    tree = expression(text)
    assert render_python(tree, _names(op, python_name)) == python
    if cpp is not None:
        assert render_cpp(tree, _names(op, cpp_name)) == cpp


def test_conditions_over_unbacked_sizes_ask_no_size_for_its_truth(op, expression):
    torch = pytest.importorskip("torch")
    shape_env = pytest.importorskip("torch.fx.experimental.symbolic_shapes").ShapeEnv()
    scope = {"torch": torch, "math": math, "flag": True, "n": shape_env.create_unbacked_symint()}
    scope |= {"k": shape_env.create_unbacked_symint()}
    for text in ("0 < n <= k", "n in (64, 80)", "not n == k", "n % 8 == 0 and max(n, k) > 3", "flag and -n < k"):
        condition = eval(render_python(expression(text), _names(op, python_name)), scope)  # noqa: S307 - what was rendered is what is tested
        assert isinstance(condition, torch.SymBool), text
