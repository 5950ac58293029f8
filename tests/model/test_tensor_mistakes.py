"""Mistakes in what `tensors` and `checks` mean: each with its code, place and remedy, all of them at once."""

import pytest

from opgen.diagnostics import Code, has_errors
from opgen.model.build import build_library
from opgen.model.tensor_contract import codes
from opgen.spec.language import codes as language_codes
from opgen.spec.load import load_library

FUNC = (
    "f(Tensor x, Tensor? y, Tensor[] xs, SymInt k, int? j, int[2] pad, float eps, str mode, bool flag, "
    "ScalarType? out_dtype, ScalarType kind, Device device) -> (Tensor a, Tensor b)"
)


@pytest.mark.parametrize(
    ("tensors", "checks", "code", "place", "words"),
    [
        # keys
        ({"z": "float [n]"}, [], "OPG160", "z", "no argument and no return"),
        ({"return": "float32 [n]"}, [], "OPG160", "return", "no argument and no return"),
        ({"k": "int64 [n]"}, [], "OPG160", "k", "'k' is an integer, expected a tensor argument"),
        ({"a": "float32 [n]", "return.0": "float32 [n]"}, [], "OPG160", "return.0", "two entries"),
        # names of sizes
        ({"a": "float32 [n, o]"}, [], "OPG161", "o", "no input has a dim of this name"),
        ({"a": "float32 [bach]", "y": "float [batch]"}, [], "OPG161", "bach", "did you mean 'batch'?"),
        ({"a": "float32 [*batch]"}, [], "OPG161", "*batch", "let an input hold `*batch`"),
        ({}, ["0 < l"], "OPG161", "l", "'l' is no argument"),
        ({}, ["given(z)"], "OPG161", "z", "no argument 'z'"),
        ({"y": "float [rank(z)]"}, [], "OPG161", "z", "no argument"),
        # names of dtypes
        ({"y": "flaot32 [n]"}, [], "OPG162", "flaot32", "did you mean 'float32'?"),
        ({"y": "fp16 [n]"}, [], "OPG162", "fp16", "did you mean 'float16'?"),
        ({}, ["kind in (float32, half)"], "OPG162", "half", "did you mean 'float16'?"),
        ({"y": "bf16 [n]"}, [], "OPG162", "bf16", "did you mean 'bfloat16'?"),
        ({"y": "double [n]"}, [], "OPG162", "double", "did you mean 'float64'?"),
        ({"y": "long [n]"}, [], "OPG162", "long", "did you mean 'int64'?"),
        ({"y": "int [n]"}, [], "OPG162", "int", "did you mean 'int32'?"),
        ({"y": "x [n]"}, [], "OPG162", "x", "write `x.dtype`"),
        ({"y": "float16|int33 [n]"}, [], "OPG162", "int33", "did you mean 'int32'?"),
        ({}, ["kind in (float32, flot64)"], "OPG162", "flot64", "did you mean 'float64'?"),
        # sizes that cannot be solved
        ({"y": "float [a1*b1]"}, [], "OPG163", "a1*b1", "'a1' and 'b1' at once"),
        ({"y": "float [o//2]"}, [], "OPG163", "o//2", "let another dim be 'o' alone"),
        ({"y": "float [o*o]"}, [], "OPG163", "o*o", "cannot be solved for 'o'"),
        ({"y": "float [max(o, 1)]"}, [], "OPG163", "max(o, 1)", "cannot be solved for 'o'"),
        # what only an optional argument knows
        ({"y": "float [o]", "a": "float32 [o]"}, [], "OPG164", "o", "'o' is only known when 'y' is given"),
        ({"y": "float [o]"}, ["o > 0"], "OPG164", "o", "`not given(y) or ...`"),
        ({"y": "float [*o]", "a": "float32 [*o]"}, [], "OPG164", "*o", "only known when 'y' is given"),
        ({"a": "float32 [j]"}, [], "OPG164", "j", "'j' may be None here"),
        ({"a": "float32 [y.size(0)]"}, [], "OPG164", "y.size(0)", "'y' may be None here"),
        ({}, ["given(j) or j > 0"], "OPG164", "j", "guard it by `given(j)`"),
        # kinds
        ({}, ["n"], "OPG165", "n", "expected a condition, such as a comparison, found an integer"),
        ({}, ["n > 0 and m"], "OPG165", "m", "found an integer"),
        ({}, ["mode == 1"], "OPG165", "1", "cannot compare a string with an integer"),
        ({}, ["mode < 'b'"], "OPG165", "'b'", "only numbers have an order"),
        ({}, ["mode in ('a', 1)"], "OPG165", "1", "cannot compare"),
        ({}, ["flag + 1 == 2"], "OPG165", "flag", "expected a number, found a condition"),
        ({}, ["x == 1"], "OPG165", "1", "cannot compare a tensor with an integer"),
        ({}, ["pad == 1"], "OPG165", "1", "cannot compare several sizes with an integer"),
        ({"a": "float32 [(n == 1)]"}, [], "OPG165", "n == 1", "expected a size, found a condition"),
        ({"a": "float32 [0.5]"}, [], "OPG165", "0.5", "expected a size, found a number"),
        ({"a": "float32 [2*x]"}, [], "OPG165", "x", "expected a number, found a tensor"),
        ({}, ["eps // 2 > 0"], "OPG165", "eps // 2", "'//' is for integers, found a floating-point number"),
        ({}, ["n % 0.5 == 0"], "OPG165", "n % 0.5", "'%' is for integers"),
        ({"a": "float32 [ceil(n/eps)]"}, [], "OPG165", "n/eps", "'/' is for integers"),
        ({"a": "float32 [eps*n]"}, [], "OPG165", "eps*n", "expected a size, found a number"),
        ({"a": "float32 [pad*n]"}, [], "OPG165", "pad", "found several sizes"),
        ({"a": "float32 [*n]"}, [], "OPG165", "*n", "'n' is one dim, expected a run"),
        ({"a": "float32 [x[0]]"}, [], "OPG165", "x[0]", "expected a list of integers"),
        ({"a": "float32 [xs.size(0)]"}, [], "OPG165", "xs.size(0)", "`xs[0].size(0)`"),
        ({"a": "float32 [prod(x)]"}, [], "OPG165", "x", "'x' is a tensor, expected several sizes"),
        ({"a": "float32 [rank(n)]"}, [], "OPG165", "n", "'rank' cannot take an integer"),
        ({"a": "float32 [(n if m else 1)]"}, [], "OPG165", "m", "found an integer"),
        # dtypes of outputs and ties
        ({"a": "float [n]"}, [], "OPG166", "float", "'float' is more than one dtype"),
        ({"a": "half [n]"}, [], "OPG166", "half", "more than one dtype"),
        ({"a": "x.dtype|int8 [n]"}, [], "OPG166", "x.dtype|int8", "more than one dtype"),
        ({"a": "out_dtype or float [n]"}, [], "OPG166", "out_dtype or float", "more than one dtype"),
        ({"y": "y.dtype [n]"}, [], "OPG167", "y.dtype", "y -> y"),
        ({"y": "a.dtype [n]", "a": "float32 [n]"}, [], "OPG168", "a.dtype", "'a' is no argument"),
        ({"a": "y.dtype [n]"}, [], "OPG168", "y.dtype", "'y' may be None"),
        ({"a": "k.dtype [n]"}, [], "OPG168", "k.dtype", "'k' is an integer, expected a tensor"),
        ({"a": "promote(y, k) [n]"}, [], "OPG168", "promote(y, k)", "a tensor that is always given"),
        ({"a": "promote(x, mode) [n]"}, [], "OPG168", "promote(x, mode)", "'mode' is a string"),
        ({"a": "out_dtype [n]"}, [], "OPG168", "out_dtype", "write `out_dtype or float32`"),
        ({"a": "kind or x.dtype [n]"}, [], "OPG168", "kind", "'kind' is never None"),
        ({"a": "mode or x.dtype [n]"}, [], "OPG168", "mode", "expected an argument of type ScalarType?"),
        ({"a": "x.dtype or float32 [n]"}, [], "OPG168", "x.dtype", "expected an argument of type ScalarType?"),
        # shapes
        ({"y": "float [*b1, *b2]"}, [], "OPG169", "*b2", "one run of dims at most, found 2"),
        ({"y": "float [*b1, ...]"}, [], "OPG169", "...", "one run of dims at most, found 2"),
        ({"y": "float [?o]"}, [], "OPG169", "?o", "write `o`"),
        ({"a": "float32 [_]"}, [], "OPG169", "_", "an output needs one"),
        ({"a": "float32 [..., n]"}, [], "OPG169", "...", "an output needs one"),
        # layouts
        ({"y": "float [n] strides[1, 1]"}, [], "OPG170", "strides[1, 1]", "a stride for each dim of [n], found 2"),
        ({"y": "float [*b1] strides[1]"}, [], "OPG170", "strides[1]", "`strides[..., 1]`"),
        ({"y": "float [n] strides[..., 1, 1]"}, [], "OPG170", "strides[..., 1, 1]", "more than the dims of [n]"),
        ({"y": "float [n] channels_last"}, [], "OPG170", "channels_last", "defined for 4 dims, found 1"),
        ({"a": "float32 [n] channels_last"}, [], "OPG170", "channels_last", "defined for 4 dims, found 1"),
        ({"a": "float32 [*pad, n] strides[..., 2]"}, [], "OPG170", "strides[..., 2]", "write `contiguous` or `strides(x)`"),
        ({"a": "float32 [n, m] strides[1]"}, [], "OPG170", "strides[1]", "a stride for each dim of [n, m], found 1"),
        ({"a": "float32 [n] aligned(128)"}, [], "OPG170", "aligned(128)", "aligned to 64 bytes, found 128"),
        ({"a": "float32 [m, n] strides(x)"}, [], "OPG170", "strides(x)", "those of its dims, [n, m], found [m, n]"),
        ({"a": "float32 [n] strides(y)"}, [], "OPG170", "strides(y)", "'y' may be None"),
        ({"y": "float [n] strides(x)"}, [], "OPG170", "strides(x)", "'x' has 2 dims, expected 1 as in [n]"),
        ({"y": "float [n] strides(y)"}, [], "OPG170", "strides(y)", "'y' is this tensor itself"),
        ({"y": "float [n] strides(k)"}, [], "OPG170", "strides(k)", "'k' is an integer, expected another tensor"),
        ({"a": "float32 [n] strides[s]"}, [], "OPG161", "s", "'s' is no argument"),
        # devices
        ({"y": "float [n] on gpu"}, [], "OPG171", "on gpu", "use `cpu`, `cuda`"),
        ({"y": "float [n] on k"}, [], "OPG171", "on k", "'k' is an integer"),
        ({"y": "float [n] on y"}, [], "OPG171", "on y", "'y' is a tensor"),
        ({"a": "float32 [n] on x|cpu"}, [], "OPG171", "on x|cpu", "an output is on one device"),
        ({"y": "float [n] on device|cpu"}, [], "OPG171", "on device|cpu", "write `on device or cpu`"),
        ({"y": "float [n] on x or cpu"}, [], "OPG171", "on x or cpu", "before 'or', found 'x'"),
        ({"y": "float [n] on x|gpu"}, [], "OPG171", "on x|gpu", "'gpu' is no device"),
        # places
        ({"a": "float32 [pad[2]]"}, [], "OPG172", "pad[2]", "2 elements, found the index 2"),
        ({"a": "float32 [x.size(2)]"}, [], "OPG172", "x.size(2)", "'x' has 2 dims, found dim 2"),
        # clashes
        ({"y": "float [x]"}, [], "OPG173", "x", "named like an argument that is a tensor"),
        ({"y": "float [eps]"}, [], "OPG173", "eps", "named like an argument that is a number"),
        ({"y": "float [*k]"}, [], "OPG173", "*k", "named like an argument that is an integer"),
        ({"y": "float [*n]"}, [], "OPG173", "*n", "'n' is one dim here and a run of dims, '*n', elsewhere"),
        ({"a": "float32 [?n]"}, [], "OPG173", "?n", "write `n` without '?'"),
        ({}, ["given(x)"], "OPG174", "given(x)", "'x' is always given"),
        ({"a": "float32 [n % 0]"}, [], "OPG175", "n % 0", "division by 0"),
        # forms by condition
        ({"a": "float32 [n] if flag else None"}, [], "OPG176", "None", "declare the return as `Tensor?`"),
        ({"x": "None if flag else float [n, m]"}, [], "OPG176", "None", "declare it as `Tensor?`"),
        ({"y": "float [o] if n > 1 else float [m]"}, [], "OPG177", "n", "can't depend on sizes"),
        ({"y": "float [o] if x.size(0) > 1 else float [m]"}, [], "OPG177", "x.size(0)", "can't depend on sizes"),
        ({"y": "float [o] if mode else float [m]"}, [], "OPG165", "mode", "expected a condition"),
        ({"y": "float [o] if mode == sum else float [m]"}, [], "OPG177", "sum", "quote a text"),
        ({"a": "float32 [(1 if y else n)]"}, [], "OPG165", "y", "ask `given(y)`"),
        ({"y": "float [o] if given(x) else float [m]"}, [], "OPG174", "given(x)", "always given"),
        ({"y": "float [o] if zero == 1 else float [m]"}, [], "OPG177", "zero", "can't depend on sizes"),
        ({"y": "float [o] if flag else float [m]", "a": "float32 [(o if given(y) else 1)]"}, [], "OPG164", "o", "where `given(y) and flag`"),
        ({"x": "float [n, m] if flag else float [n]", "a": "float32 [m]"}, [], "OPG164", "m", "(... if flag else ...)"),
        ({"x": "float [n, m] if flag else float [n]"}, ["m > 1"], "OPG164", "m", "`not flag or ...`"),
        ({"x": "float [n, m] if mode == 'a' else float [n]"}, ["mode == 'a' or m > 1"], "OPG164", "m", "`mode != 'a' or ...`"),
        ({"a": "float32 [?o] if flag else float32 [n]"}, [], "OPG169", "?o", "can't depend on a condition"),
        ({"a": "float [n] if flag else float32 [n]"}, [], "OPG166", "float", "more than one dtype"),
        ({"a": "float32 [n] if flag else int8 [n]", "b": "a.dtype [n]"}, [], "OPG166", "a.dtype", "one dtype or another"),
        # alternatives of shape
        ({"y": "float [o, 1]|[1, o]"}, [], "OPG178", "o", "in different ways"),
        ({"y": "float [m, n]|[..., n]"}, [], "OPG178", "...", "write `_`"),
        ({"y": "float [o, n]|[..., n]", "a": "float32 [o]"}, [], "OPG178", "...", "write `_`"),
        ({"a": "float32 [n]|[m]"}, [], "OPG178", "float32 [n]|[m]", "an output has one shape"),
    ],
)  # fmt: skip
def test_a_mistake_is_found_at_its_place(tensors, checks, code, place, words, findings):  # noqa: PLR0913, PLR0917 - one column a case has
    found = findings(tensors, checks)
    assert len(found) == 1, found
    (only,) = found
    span = only.location.span
    assert (only.code.id, only.location.source.text[span.start : span.end]) == (code, place)
    assert words in f"{only.message} {only.help}"
    assert only.op == "mylib::f"


def test_a_contract_of_a_returned_list_is_no_mistake_but_told_when_asked(build_op):
    op, found = build_op("f(Tensor[] xs) -> Tensor[] ys", {"xs": "float [_]", "ys": "float [_]"}, fake="module:f")
    assert not found
    (only,) = op.tensors.unsupported
    assert (only.code.id, only.message) == ("OPG890", "'ys' is a list of tensors, whose length no contract can say")
    assert only.help == "remove the entry, and name a `fake: module:function`"


@pytest.fixture
def findings(tmp_path, monkeypatch):
    """Return a function from entries of the op above to what is found in it."""
    monkeypatch.chdir(tmp_path)
    return lambda tensors, checks: _build(tensors, checks, tmp_path).diagnostics


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Return a function from entries of the op above to the library."""
    monkeypatch.chdir(tmp_path)
    return lambda tensors, checks: _build(tensors, checks, tmp_path)


def _build(tensors, checks, tmp_path):
    lines = [
        "opgen: 1",
        "namespace: mylib",
        "dtypes: {half: float16|bfloat16}",
        "ops:",
        f'  - func: "{FUNC}"',
        "    tensors:",
    ]
    lines += [f'      {key}: "{text}"' for key, text in {"x": "float [n, m]", **tensors}.items()]
    lines += ["    checks:", *(f'      - "{check}"' for check in checks)] if checks else []
    (tmp_path / "ops.yaml").write_text("\n".join(lines) + "\n")
    loaded = load_library(tmp_path / "ops.yaml")
    assert not loaded.diagnostics, loaded.diagnostics
    return build_library(loaded.library)


@pytest.mark.parametrize(
    ("checks", "found_codes"),
    [
        (["not given(y) or given(j)", "not given(y) or j > 0"], []),
        (["given(j) or not given(y)", "not given(y) or j > 0"], []),
        (["given(y) == given(j)", "not given(y) or j > 0", "not given(j) or y.size(0) == 1"], []),
        (["not given(y) or given(j) and flag", "not given(y) or j > 0"], []),
        (["not given(j) or given(y)", "not given(y) or j > 0"], ["OPG164"]),
        (["given(y) != given(j)", "not given(y) or j > 0"], ["OPG164"]),
        # A condition that reads sizes is only run when all others have been, so that nothing can rely on it.
        (["not given(y) or given(j) and n > 0", "not given(y) or j > 0"], ["OPG164"]),
    ],
)
def test_what_a_check_says_about_optional_arguments_is_believed(checks, found_codes, findings):
    assert [each.code.id for each in findings({}, checks)] == found_codes


def test_a_list_with_gaps_binds_nothing(build_op):
    _, found = build_op(
        "f(Tensor?[] xs, Tensor x) -> Tensor", {"xs": "float [k]", "x": "xs.dtype [n]", "return": "xs.dtype [n]"}
    )
    assert sorted(each.code.id for each in found) == ["OPG163", "OPG168", "OPG168"]


def test_all_mistakes_are_found_at_once_and_none_follows_from_another(findings):
    tensors = {
        "y": "flaot [a1*b1, n]",
        "xs": "float [*b2, *c2]",
        "a": "x.dtype [a1, *b2, o]",
        "b": "float [n] on gpu",
    }
    found = findings(tensors, ["a1 > 0", "o > n", "n == 'a'"])
    assert sorted(each.code.id for each in found) == [
        *("OPG161", "OPG161", "OPG162", "OPG163", "OPG165", "OPG166", "OPG169", "OPG171"),
    ]


def test_ties_in_a_ring_are_refused_at_each_of_them(build_op):
    _, found = build_op(
        "f(Tensor x, Tensor y, Tensor z) -> ()", {"x": "y.dtype [n]", "y": "x.dtype [n]", "z": "x.dtype [n]"}
    )
    assert [each.message for each in found] == [
        "'x': the dtype is tied to itself: x -> y -> x",
        "'y': the dtype is tied to itself: y -> x -> y",
    ]


@pytest.mark.parametrize(("x", "y"), [("y.dtype|int8", "x.dtype|int8"), ("promote(y, y)", "x.dtype|float32")])
def test_ties_in_a_ring_through_sets_are_refused(x, y, build_op):
    _, found = build_op("f(Tensor x, Tensor y) -> ()", {"x": f"{x} [n]", "y": f"{y} [n]"})
    assert [each.message for each in found] == [
        "'x': the dtype is tied to itself: x -> y -> x",
        "'y': the dtype is tied to itself: y -> x -> y",
    ]


def test_ties_over_hundreds_of_tensors_are_refused(build_op):
    def found(count, tie):
        func = f"f(Tensor x0, {', '.join(f'Tensor x{i}, bool b{i}' for i in range(1, count))}) -> ()"
        ties = {f"x{i}": tie.format(before=i - 1, now=i) for i in range(1, count)}
        return [each.message for each in build_op(func, {"x0": "float [n]", **ties})[1]]

    forked = "x{before}.dtype [n] if b{now} else x{before}.dtype|int8 [n, 1]"
    assert found(90, "x{before}.dtype [n]") == found(90, forked) == []
    too_far = "'x102': the dtype is tied over more than 100 tensors"
    assert found(103, "x{before}.dtype [n]")[-1] == found(103, forked)[-1] == too_far


@pytest.mark.parametrize(
    ("func", "tensors", "words"),
    [
        ("f_(Tensor(a!) x) -> Tensor(a!)", {"return": "float [n]"}, "'return' is the argument 'x' itself"),
        ("f(Tensor x) -> int", {"return": "float [n]"}, "'return' is no tensor"),
    ],
)
def test_a_return_that_is_no_fresh_tensor_has_no_contract(func, tensors, words, build_op):
    _, found = build_op(func, {"x": "float [n]", **tensors})
    assert words in found[0].message


CODES = [code for module in (codes, language_codes) for code in vars(module).values() if isinstance(code, Code)]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_the_examples_of_a_code_are_right(code, tmp_path):
    def lint(text):
        path = tmp_path / "ops.yaml"
        path.write_text(text)
        loaded = load_library(path)
        return [*loaded.diagnostics, *build_library(loaded.library).diagnostics]

    assert {found.code.id for found in lint(code.bad.text)} == {code.id}
    assert not has_errors(lint(code.good.text))
