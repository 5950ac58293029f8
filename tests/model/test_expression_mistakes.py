"""Mistakes in what `pointwise` and `reduce` mean: each with its code, place and remedy, all of them at once."""

import json
import re

import pytest

from opgen.diagnostics import Code, has_errors
from opgen.model.build import build_library
from opgen.model.compute import codes
from opgen.source import Text
from opgen.spec.kernel_language import codes as language_codes
from opgen.spec.kernel_language import parse_kernel_expression
from opgen.spec.kernel_language.elsewhere import FUNCTIONS_ELSEWHERE
from opgen.spec.load import load_library

FUNC = (
    "f(Tensor x, Tensor y, Tensor mask, Tensor i, Tensor? w, Tensor c, Tensor v, Tensor[] xs, float a, Scalar s, int k, "
    "bool flag, float? lo, str mode, Tensor! out) -> ()"
)
TENSORS = {
    "x": "float [*b, m, n]",
    "y": "x.dtype [n]",
    "mask": "bool [n]",
    "i": "int32 [n]",
    "w": "x.dtype [n]",
    "c": "complex64 [n]",
    "v": "x.dtype [*b, 2*n]",
    "out": "x.dtype [*b, m, n]",
}


@pytest.fixture
def mistakes(tmp_path):
    """Return a function from an entry of `ops` to the errors in it, and to the text that each points at."""

    def run(**entry):
        path = tmp_path / "ops.yaml"
        library = {"opgen": 1, "namespace": "mylib", "ops": [{"func": FUNC, "tensors": TENSORS, **entry}]}
        path.write_text(json.dumps(library, ensure_ascii=False), encoding="utf-8")
        loaded = load_library(path)
        found = list(loaded.diagnostics) + list(build_library(loaded.library).diagnostics)
        return [(each, each.location.source.text[slice(*each.location.span)]) for each in found]

    return run


@pytest.mark.parametrize(
    ("pointwise", "code", "place", "words"),
    [
        # names
        ("x * z", "OPG250", "z", "there is no 'z' here"),
        ("x + mak", "OPG250", "mak", "did you mean 'mask'?"),
        ("e ^ x", "OPG250", "e", "write `exp(x)`"),
        ("x if true else y", "OPG250", "true", "write `True`"),
        ("x + exp", "OPG250", "exp", "write `exp(x)`"),
        ("x + b", "OPG250", "b", "'b' is a run of dims"),
        ("x + xs", "OPG250", "xs", "'xs' is a list of tensors"),
        ("x if mode == mode else y", "OPG250", "mode", "'mode' is a string"),
        ("a[..., :n] + x", "OPG250", "a[..., :n]", "'a' is a number, expected a tensor"),
        # functions
        ("exxp(x)", "OPG251", "exxp", "did you mean 'exp'?"),
        ("swish(x)", "OPG251", "swish", "write `silu(x)`"),
        ("max(x, y)", "OPG251", "max", "write `maximum(a, b)`"),
        ("half(x)", "OPG251", "half", "write `float16`"),
        ("rint(x)", "OPG251", "rint", "write `round(x)`"),
        ("mul(x, y)", "OPG251", "mul", "write `x * y`"),
        ("std(x, n)", "OPG251", "std", "`reduce: {v: var(x, n)}`"),
        ("exp(x, y)", "OPG251", "exp(x, y)", "'exp' takes 1 argument, found 2"),
        ("where(mask, x)", "OPG251", "where(mask, x)", "write `where(condition, a, b)`"),
        ("gelu(x, approximate=1)", "OPG251", "approximate=1", "pass values alone"),
        ("given(x + 1)", "OPG251", "given(x + 1)", "one optional argument"),
        # reductions
        ("x / sum(x, n)", "OPG252", "sum", "`reduce: {name: …}`"),
        ("x - max(x, n)", "OPG252", "max", "'max' is a reduction"),
        ("x - mean(x, *b)", "OPG252", "mean", "'mean' is a reduction"),
        # axes
        ("x + index(q)", "OPG253", "index(q)", "'index' takes the name of one dim"),
        # dims
        ("x[..., :n + 1]", "OPG254", "x[..., :n + 1]", "isn't sure to lie inside"),
        ("x[..., :q]", "OPG254", "q", "there is no size 'q'"),
        ("x[..., :y]", "OPG254", "y", "there is no size 'y'"),
        ("x[..., :x > 1]", "OPG254", "x > 1", "a bound of a slice is a size"),
        # optional arguments
        ("x * w", "OPG257", "w", "`… if given(w) else …`"),
        ("maximum(x, lo)", "OPG257", "lo", "'lo' may be absent here"),
        ("x if given(w) else x * w", "OPG257", "w", "'w' may be absent here"),
        ("x * w if given(lo) else x", "OPG257", "w", "'w' may be absent here"),
        ("x if given(y) else y", "OPG257", "given(y)", "'y' is always given"),
        # kinds
        ("x & y", "OPG470", "x", "'&' takes integers or truth values, found a floating-point value"),
        ("x ^ 2", "OPG470", "x", "write `x ** 2` for a power"),
        ("x if x > 0 & y > 0 else y", "OPG470", "y", "join conditions by `and`"),
        ("x << 1", "OPG470", "x", "'<<' takes integers"),
        ("i ** -2", "OPG470", "i ** -2", "write `float32(i) ** -2`"),
        ("~x", "OPG470", "x", "'~' takes an integer"),
        ("~mask", "OPG470", "mask", "write `not x`"),
        ("not x", "OPG470", "x", "'not' takes a truth value"),
        ("-mask", "OPG470", "mask", "'-' takes a number, found a truth value"),
        ("mask + mask", "OPG470", "mask + mask", "cast one of them, `int32(x)`"),
        ("mask & i", "OPG470", "mask & i", "found one of each"),
        ("x if x else y", "OPG470", "x", "a condition is a truth value"),
        ("where(i, x, y)", "OPG470", "i", "compare with 0"),
        ("x if mask and x else y", "OPG470", "x", "'and' joins truth values"),
        ("exp(mask)", "OPG470", "mask", "'exp' takes numbers"),
        ("x if mask < flag else y", "OPG470", "mask < flag", "compares numbers"),
        # dtypes
        ("x + c", "OPG472", "c", "'c' holds complex64"),
        ("complex64(x)", "OPG472", "complex64", "can't compute with complex64"),
        ("i + s", "OPG472", "i + s", "declare it as `float` or `int`"),
        ("x * int8(maximum(i, -2147483649))", "OPG472", "-2147483649", "`int64(i)`"),
        ("x if int8(x) == 300 else y", "OPG472", "300", "300 has no place in int8"),
        ("x * clamp(uint8(x), 0, 300)", "OPG472", "300", "no place in uint8"),
        # what the language has no words for
        ("x && y", "OPG157", "&&", "write `and`"),
        ("x || y", "OPG157", "||", "write `or`"),
        ("!mask", "OPG157", "!", "write `not`"),
        ("mask ? x : y", "OPG157", "?", "write `x if mask else y`"),
        ("torch.exp(x)", "OPG157", "torch.", "write `exp`"),
        ("std::exp(x)", "OPG157", "std::", "write `exp`"),
        ("x.exp()", "OPG157", ".exp(", "write `exp(x)`"),
        ("torch.neg(x)", "OPG157", "torch.", "write `-x`"),
        ("x.max(y)", "OPG157", ".max(", "write `maximum(a, b)`"),
        ("x.max()", "OPG157", ".max(", "write `reduce: {name: max(x, n)}`"),
        ("x.softmax(-1)", "OPG157", ".softmax(", "write it out"),
        ("x.to(torch.float32)", "OPG157", ".to", "`float32(x)`"),
        ("x.shape[0] * 2", "OPG157", ".shape", "names of dims"),
        ("x * x.size(0)", "OPG157", ".size(", "names of dims"),
        ("x.sum(-1)", "OPG157", ".sum(", "`reduce: {name: sum(x, n)}`"),
        ("x.amax()", "OPG157", ".amax(", "`reduce: {name: max(x, n)}`"),
        ("x + y.unsqueeze(0)", "OPG157", ".unsqueeze(", "meet by the names of their dims"),
        ("x.T", "OPG157", ".T", "meet by the names of their dims"),
        ("x * 0x10", "OPG157", "0x10", "write `16`"),
        ("x * 1_000", "OPG157", "1_000", "write `1000`"),
        ("x += y", "OPG157", "+=", "`x + y`"),
        ("x ≤ y", "OPG157", "≤", "write `<=`"),
        ("2 * π * x", "OPG157", "π", "write `pi`"),
        ("x[..., ::2]", "OPG157", ":", "a slice has no step"),
        ("lambda x: x + 1", "OPG157", "lambda", "found a function"),
        ("exp(x", "OPG157", "", "close the parenthesis"),
        ("x +", "OPG157", "", "complete the expression"),
        ("x[0]", "OPG157", "x[0]", "along the last dim"),
        ("x[:, :n]", "OPG157", "x[:, :n]", "along the last dim"),
        ("x if 'a", "OPG157", "'", "close the string"),
        ("x if mode == 'sum' else y", "OPG157", "'sum'", "a `bool` or an `int` argument"),
        ("x if w is not None else y", "OPG157", "is", "write `given(w)`"),
        ("x * 1.0f", "OPG157", "f", "write `1.0`"),
        ("2 x", "OPG157", "x", "`2 * x`"),
        ("x²", "OPG157", "²", "write `x ** 2`"),
        ("out = x + y", "OPG157", "=", "compare with `==`"),
        ("x if y", "OPG157", "", "`a if condition else b`"),
        ("-" * 120 + "x", "OPG156", "-" * 120 + "x", "nested more than 100 levels"),
    ],
)
def test_a_mistake_is_found_where_it_is(pointwise, code, place, words, mistakes):
    found = mistakes(pointwise=pointwise)
    assert [(each.code.id, text) for each, text in found[:1]] == [(code, place)]
    assert all(words in f"{each.message} {each.help}" for each, _ in found)


@pytest.mark.parametrize(
    ("entry", "code", "place", "words"),
    [
        # stores
        ({"pointwise": "x + 1", "tensors": {**TENSORS, "out": "x.dtype [n]"}}, "OPG253", "x + 1", "varies along '*b' and 'm'"),
        ({"pointwise": "x", "tensors": {**TENSORS, "out": "int32 [*b, m, n]"}}, "OPG471", "x", "a floating-point value, and 'out' holds int32"),
        ({"pointwise": "i", "tensors": {**TENSORS, "out": "bool [n]"}}, "OPG471", "i", "is an integer, and 'out' holds bool"),
        ({"pointwise": "x", "tensors": {**TENSORS, "out": "complex64 [*b, m, n]"}}, "OPG472", "x", "complex64"),
        ({"pointwise": "x", "tensors": {**TENSORS, "out": "x.dtype [_, m, n]"}}, "OPG254", "_", "name it"),
        ({"pointwise": "x + y", "tensors": {**TENSORS, "y": "x.dtype [n]|[1, n]"}}, "OPG254", "x.dtype [n]|[1, n]", "one of several shapes"),
        ({"pointwise": "x[..., :n]", "tensors": {**TENSORS, "x": "float [*b, m, n + k]"}}, "OPG254", "x[..., :n]", "isn't sure to lie inside"),
        ({"pointwise": "x[..., k:]", "tensors": {**TENSORS, "x": "float [*b, m, n + k]"}}, "OPG254", "x[..., k:]", '`checks: ["k >= 0"]`'),
        ({"pointwise": "x", "tensors": {**TENSORS, "x": "float [*b, n, n]", "out": "x.dtype [*b, n, n]"}}, "OPG254", "x", "the dim 'n' twice"),
        ({"pointwise": "x + y", "tensors": {**TENSORS, "y": "x.dtype [n] if flag else x.dtype [1]"}}, "OPG254", "x.dtype [n] if flag else x.dtype [1]", "by condition"),
        # targets and names
        ({"pointwise": {"y": "x", "out": "x"}}, "OPG255", "y", "the op doesn't write"),
        ({"pointwise": {"twice": "2 * x"}}, "OPG255", "pointwise", "'out' has no value"),
        ({"pointwise": {"n": "2 * x", "out": "x"}}, "OPG255", "n", "a size of `tensors`"),
        ({"pointwise": {"out": "x", "h": "2 * x"}}, "OPG256", "h", "nothing uses it"),
        ({"pointwise": {"h": "2 * g", "g": "h + x", "out": "h"}}, "OPG250", "h", "defined by itself"),
        ({"pointwise": {"out": "x + h", "h": "out * y"}, "overwrites": ["out"]}, "OPG259", "out", "is a destination"),
        ({"reduce": "sum(x, n)", "pointwise": "x"}, "OPG255", "sum(x, n)", "has no name"),
        # reductions
        ({"reduce": {"q": "x"}, "pointwise": "x"}, "OPG252", "x", "expected one reduction"),
        ({"reduce": {"q": "sum(x, n) / n"}, "pointwise": "x"}, "OPG252", "sum(x, n) / n", "belongs under `pointwise`"),
        ({"reduce": {"q": "sum(x)"}, "pointwise": "x - q"}, "OPG252", "sum(x)", "runs along no dim"),
        ({"reduce": {"q": "sum(x, dim=-1)"}, "pointwise": "x - q"}, "OPG252", "dim=-1", "name the dim"),
        ({"reduce": {"q": "sum(x, n)", "t": "sum(x, m)"}, "pointwise": "x - q - t"}, "OPG252", "sum(x, m)", "'q' along 'n'"),
        ({"reduce": {"q": "sum(x, r)"}, "pointwise": "x - q"}, "OPG253", "r", "there is no dim 'r'"),
        ({"reduce": {"q": "amax(x, n)"}, "pointwise": "x - q"}, "OPG252", "amax(x, n)", "write `max`"),
        ({"reduce": {"q": "argmax(x, m, n)"}, "pointwise": "x - q"}, "OPG252", "argmax(x, m, n)", "along one dim"),
        ({"reduce": {"q": "sum(a, n)"}, "pointwise": "x - q"}, "OPG253", "sum(a, n)", "the same all along 'n'"),
        ({"reduce": {"q": "any(x, n)"}, "pointwise": "x if q else y"}, "OPG470", "x", "'any' takes truth values"),
        ({"reduce": {"q": "max(mask, n)"}, "pointwise": "x if q else y"}, "OPG470", "mask", "'max' takes numbers"),
        ({"reduce": "sum(x, m, n)", "tensors": {**TENSORS, "out": "x.dtype [*b, n]"}}, "OPG253", "sum(x, m, n)", "both are reduced"),
        # two sources of one kernel
        ({"pointwise": "x", "reference": "x"}, "OPG258", "x", "generated"),
        ({"pointwise": "x", "dispatch": {"CPU": {"kernel": "cpp", "symbol": "a::f"}}}, "OPG258", "CPU", "write `CPU: cpp`"),
        ({"pointwise": "x", "dispatch": {"CompositeExplicitAutograd": "cpp"}}, "OPG258", "CompositeExplicitAutograd", "single backends"),
        ({"pointwise": "x", "registered": "a.cpp"}, "OPG258", "a.cpp", "keep one of them"),
        ({"pointwise": "x", "autograd": "composite"}, "OPG258", "composite", "made of no other ops"),
    ],
)  # fmt: skip
def test_a_mistake_of_the_whole_op_is_found_where_it_is(entry, code, place, words, mistakes):
    found = mistakes(**entry)
    assert [each.code.id for each, _ in found[:1]] == [code]
    assert found[0][1].strip('"') == place
    assert words in f"{found[0][0].message} {found[0][0].help}"


def test_what_is_said_of_functions_elsewhere_can_be_read():
    texts = [text for remedy in FUNCTIONS_ELSEWHERE.values() for text in re.findall(r"write `([^`:]*)`", remedy)]
    assert len(texts) > 40
    assert [(text, found) for text in texts if (found := parse_kernel_expression(Text.of(text))[1])] == []


def test_all_mistakes_are_found_at_once(mistakes):
    found = mistakes(
        reduce={"r": "sum(exq(x), n)", "t": "mean(q, n)"}, pointwise="w * z + (x & y) + max(x, y) if not x else v"
    )
    assert [(each.code.id, text) for each, text in found] == [
        ("OPG251", "exq"),
        ("OPG250", "q"),
        ("OPG470", "x"),
        ("OPG257", "w"),
        ("OPG250", "z"),
        ("OPG470", "x"),
        ("OPG251", "max"),
    ]


CODES = [code for module in (codes, language_codes) for code in vars(module).values() if isinstance(code, Code)]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_the_examples_of_a_code_are_right(code, tmp_path):
    def found(example):
        path = tmp_path / "ops.yaml"
        path.write_text(example.text, encoding="utf-8")
        loaded = load_library(path)
        return [*loaded.diagnostics, *build_library(loaded.library).diagnostics]

    assert {each.code for each in found(code.bad)} == {code}
    assert not has_errors(found(code.good))
    assert code not in {each.code for each in found(code.good)}
