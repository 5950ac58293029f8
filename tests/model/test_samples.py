from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from math import prod

import pytest

from opgen.model.build import build_library
from opgen.model.evaluate import EvaluatedOutputs, Violation, evaluate
from opgen.model.layout import strides_of
from opgen.model.sample_values import DtypeValue, Elements, FormatValue, TensorValue
from opgen.model.samples import dynamic_samples, make_samples
from opgen.model.samples.search import assignments
from opgen.spec.expression import Comparison, Constant, Name
from opgen.spec.load import load_library

LIBRARY = """
opgen: 1
namespace: mylib
ops:
  - func: rms_norm(Tensor x, Tensor weight, Tensor? bias=None, float eps=1e-6) -> Tensor
    tensors: {x: "float [*batch, n]", weight: "x.dtype [n] contiguous", bias: "x.dtype [n]", return: "x.dtype [*batch, n]"}
    checks: ["eps > 0"]
  - func: attention(Tensor q, Tensor k, SymInt heads, str mode="full", bool causal=False) -> Tensor
    tensors: {q: "float16|bfloat16 [tokens, heads*size]", k: "q.dtype [tokens, kv_heads, size]", return: "q.dtype [tokens, heads*size]"}
    checks: ["size in (64, 80)", heads % kv_heads == 0, "mode in ('full', 'window')", "not causal or mode == 'full'"]
  - func: matmul(Tensor a, Tensor b, *, ScalarType? out_dtype=None) -> Tensor
    tensors: {a: "int8|uint8 [m, k] strides[_, 1]", b: "int8 [k, n] strides[1, _] aligned(16)", return: "out_dtype or int32 [m, n]"}
    checks: [k % 16 == 0, "out_dtype in (None, float32, int32)"]
  - func: cat(Tensor[] xs, SymInt[] sizes, Tensor y) -> Tensor
    tensors: {xs: "any [n, _]", y: "xs.dtype [*a]", return: "xs.dtype [*broadcast(a, a)]"}
    checks: [len(xs) == len(sizes), len(xs) > 1]
  - func: gather(Tensor x, Tensor index) -> Tensor
    tensors: {x: "float32 [rows, n]", index: "int64 [m] in range(0, rows)", return: "float32 [m, n]"}
  - func: bags(Tensor[] ids, Tensor starts, Tensor order, Tensor? weights=None, *, Layout layout, MemoryFormat? format) -> ()
    tensors:
      ids: "int64 [n] in range(-1, n)"
      starts: "int32 [bags] offsets(n)"
      order: "int64 [n] permutation"
      weights: "float32 [n] in range(0, 2)"
  - func: image(Tensor x, Tensor(a!) out, *, bool? flip=None) -> ()
    tensors: {x: "float32 [b, c, h, w] channels_last", out: "float32 [b, c, ...]"}
  - func: sized(Tensor x, SymInt block) -> Tensor
    tensors: {x: "float32 [n]", return: "float32 [n//block]"}
    tests: {sizes: {n: [48], block: [16, 24]}}
  - func: grouped_topk(Tensor scores, int n_group, int topk_group, int topk, str mode, int step=1, int dim=-1) -> Tensor
    tensors: {scores: "float [tokens, experts]", return: "int64 [tokens, topk]"}
    checks:
      - experts % n_group == 0
      - 0 < topk_group <= n_group
      - 0 < topk <= experts // n_group * topk_group
      - mode in ('softmax', 'sigmoid')
      - step != 0
  - func: limited(Tensor x, SymInt block, int one, int? depth=None) -> Tensor
    tensors: {x: "float32 [n]", return: "float32 [n]"}
    checks: [n >= block, block > 0, one == 1, "not given(depth) or 0 <= depth < 2" ]
  - func: contradiction(Tensor x) -> Tensor
    tensors: {x: "float32 [n]", return: "float32 [n]"}
    checks: [n > 3, n < 3]
  - func: endless(Tensor x) -> Tensor
    tensors: {x: "float32 [n]", return: "float32 [n - 5000]"}
  - func: tiny(Tensor x) -> Tensor
    tensors: {x: "float32 [3000*n, 3000]", return: "float32 [n]"}
    checks: [n > 0]
  - func: weigh(Tensor[] xs, float[] weights, float alpha=2.0, float eps=1e-5, Scalar beta=1, ScalarType dtype=float32) -> ()
    tensors: {xs: "float32 [n]"}
    checks: [len(xs) > 0, eps >= 1e-5]
  - func: opaque(Tensor x, Stream stream) -> Tensor
    tensors: {x: "float32 [n]", return: "float32 [n]"}
"""


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    path = tmp_path_factory.mktemp("library") / "ops.yaml"
    path.write_text(LIBRARY)
    loaded = load_library(path)
    assert not loaded.diagnostics
    library = build_library(loaded.library).library
    return {op.name: op for op in library.ops}


NAMES = ["rms_norm", "attention", "matmul", "cat", "gather", "image", "sized", "grouped_topk", "limited"]


@pytest.mark.parametrize("name", NAMES)
def test_every_valid_sample_is_valid_and_every_wrong_one_wrong(ops, name):
    samples = make_samples(ops[name])
    assert samples.problem is None
    assert samples.valid
    assert samples.wrong or name == "sized"
    for sample in samples.valid:
        assert list(sample.arguments) == [argument.name for argument in ops[name].arguments]
        assert isinstance(evaluate(ops[name].tensors, sample.arguments), EvaluatedOutputs), sample.label
    for sample in samples.wrong:
        assert isinstance(evaluate(ops[name].tensors, sample.arguments), Violation), sample.label
        assert sample.mention


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_unique_and_the_number_of_samples_is_modest(ops, name):
    samples = make_samples(ops[name])
    for group in (samples.valid, samples.wrong):
        assert len({sample.label for sample in group}) == len(group)
    assert len(samples.valid) <= 16


def _values(samples, name):
    return [sample.arguments[name] for sample in samples.valid]


def test_dtypes_options_modes_sizes_and_layouts_are_all_covered(ops):
    samples = make_samples(ops["rms_norm"])
    xs = _values(samples, "x")
    assert {x.dtype for x in xs} == {"float16", "bfloat16", "float32", "float64"}
    assert {bias is None for bias in _values(samples, "bias")} == {True, False}
    assert any(0 in x.shape for x in xs)
    assert any(set(x.shape) == {1} for x in xs)
    assert any(len(set(x.shape)) == len(x.shape) > 1 and min(x.shape) > 1 for x in xs)
    assert {len(x.shape) for x in xs} == {1, 2, 3}
    assert any(x.strides is not None and x.strides[-1] != 1 for x in xs)
    assert all(weight.strides is None for weight in _values(samples, "weight"))

    samples = make_samples(ops["attention"])
    assert {*_values(samples, "mode")} == {"full", "window"}
    assert {*_values(samples, "causal")} == {True, False}
    assert all(k.shape[-1] in (64, 80) for k in _values(samples, "k"))

    samples = make_samples(ops["matmul"])
    assert {a.dtype for a in _values(samples, "a")} == {"int8", "uint8"}
    assert {*_values(samples, "out_dtype")} == {None, DtypeValue("float32"), DtypeValue("int32")}


def test_elements_never_share_memory(ops):
    for name in NAMES:
        for sample in make_samples(ops[name]).valid:
            for value in sample.arguments.values():
                if isinstance(value, TensorValue):
                    strides = value.strides or strides_of(value.shape)
                    places = {0}
                    for size, stride in zip(value.shape, strides, strict=True):
                        places = {place + step * stride for place in places for step in range(size)}
                    assert len(places) == prod(value.shape), sample.label


def test_there_is_an_index_wherever_one_is_needed(ops):
    for sample in make_samples(ops["gather"]).valid:
        assert sample.arguments["x"].shape[0] > 0 or prod(sample.arguments["index"].shape) == 0


def test_value_facts_become_elements(ops):
    seen = False
    for sample in make_samples(ops["bags"]).valid:
        values = sample.arguments
        (n,) = values["order"].shape
        if n == 0:
            continue
        seen = True
        assert {element.elements for element in values["ids"]} == {Elements(low=-1, high=n)}
        assert values["starts"].elements == Elements(offsets=n)
        assert values["starts"].shape > (1,)  # one element can't be both 0 and n
        assert values["order"].elements == Elements(permutation=True)
        assert values["weights"] is None or values["weights"].elements == Elements(low=0, high=2)
    assert seen


def test_wrong_calls_keep_to_the_value_facts_so_that_a_missing_check_crashes_nothing(ops):
    wrong = {sample.label: sample.arguments for sample in make_samples(ops["bags"]).wrong}
    assert wrong["weights-size-0"]["weights"].elements == Elements(low=0, high=2)
    assert wrong["weights-values"]["weights"].elements == Elements(low=2, high=3)
    assert wrong["ids-values"]["ids"][-1].elements.low == wrong["ids-values"]["order"].shape[0]
    assert {"starts-values", "order-values"} <= {*wrong}


def test_lists_have_several_lengths_and_any_has_dtypes_of_every_kind(ops):
    samples = make_samples(ops["cat"])
    assert {len(xs) for xs in _values(samples, "xs")} == {2, 3}
    assert {"not len(xs) == len(sizes)", "not len(xs) > 1"} <= {sample.label for sample in samples.wrong}
    dtypes = {xs[0].dtype for xs in _values(samples, "xs")}
    assert {"float32", "float16", "int64", "bool", "complex64"} <= dtypes
    assert all(y.dtype == xs[0].dtype for xs, y in zip(_values(samples, "xs"), _values(samples, "y"), strict=True))


def test_labels_say_what_samples_show(ops):
    samples = {sample.label: sample.arguments for sample in make_samples(ops["rms_norm"]).valid}

    def shown(word):
        return next(arguments["x"] for label, arguments in samples.items() if word in label.split("-"))

    assert shown("empty").shape[-1] == 0 or 0 in shown("empty").shape
    assert set(shown("ones").shape) == {1}
    assert shown("narrow").shape[-1] == 1 < min(shown("narrow").shape[:-1])
    assert shown("wide").shape[-1] >= 37
    assert shown("wide").shape[-1] % 2 == 1
    assert shown("strided").strides[-1] == 2
    assert shown("transposed").strides[-2] == 1


@pytest.mark.parametrize("name", ["rms_norm", "gather", "image"])
def test_each_size_is_zero_in_one_sample_where_the_contract_lets_it(ops, name):
    sizes = [evaluate(ops[name].tensors, sample.arguments).sizes for sample in make_samples(ops[name]).valid]
    empty = {each for found in sizes for each, size in found.items() if size == 0 or (size and size == (0,))}
    assert empty == {each for found in sizes for each in found}


def test_layouts_and_memory_formats_have_a_value(ops):
    given = [sample.arguments for sample in make_samples(ops["bags"]).valid]
    assert all(values["layout"] == FormatValue("strided") for values in given)
    assert {values["format"] for values in given} == {None, FormatValue("contiguous_format")}


def test_stated_sizes_are_used(ops):
    for sample in make_samples(ops["sized"]).valid:
        assert sample.arguments["x"].shape in ((48,), (0,))
        assert sample.arguments["block"] in (16, 24)


def test_each_promise_is_broken_once_and_the_blame_is_right(ops):
    wrong = {sample.label: sample for sample in make_samples(ops["rms_norm"]).wrong}
    assert {"x-rank", "x-dtype", "weight-dtype", "weight-device", "weight-size-0", "weight-strides", "bias-rank"} <= {
        *wrong
    }
    assert wrong["weight-device"].arguments["weight"].device == "meta"
    assert wrong["weight-size-0"].argument == "weight"
    assert wrong["x-dtype"].mention == ("argument 'x'", "got int64")
    assert wrong["not eps > 0"].arguments["eps"] <= 0

    wrong = {sample.label: sample for sample in make_samples(ops["attention"]).wrong}
    assert wrong["not mode in ('full', 'window')"].arguments["mode"] not in ("full", "window")
    assert wrong["not not causal or mode == 'full'"].arguments["causal"] is True

    wrong = {sample.label: sample for sample in make_samples(ops["cat"]).wrong}
    assert wrong["xs-rank"].mention[0] == "argument 'xs[1]'"


def test_integers_and_sizes_have_values_that_a_kernel_cannot_ignore(ops):
    calls = [sample.arguments for sample in make_samples(ops["grouped_topk"]).valid]
    telling = [
        call
        for call in calls
        if 1 < call["topk_group"] < call["n_group"] < call["scores"].shape[1]
        if 1 < call["topk"] < call["scores"].shape[1] // call["n_group"] * call["topk_group"]
        if len({call["n_group"], call["topk_group"], call["topk"]}) == 3
    ]
    for name in ("n_group", "topk_group", "topk", "step"):
        assert len({call[name] for call in telling}) > 1, name
    assert len({call["scores"].shape for call in telling}) > 1
    assert any(call["step"] == 1 for call in calls)  # what callers get who leave it out
    assert {call["dim"] for call in calls} == {-1}  # nothing says which others there are
    assert {call["mode"] for call in telling} == {"softmax", "sigmoid"}


def test_one_that_must_be_1_costs_the_others_nothing(ops):
    calls = [sample.arguments for sample in make_samples(ops["limited"]).valid]
    assert {call["one"] for call in calls} == {1}
    assert {call["depth"] for call in calls} >= {None, 0, 1}
    assert len({call["block"] for call in calls if 1 < call["block"] < call["x"].shape[0]}) > 1


def test_dynamic_samples_vary_every_size_and_nothing_else(ops):
    calls = [sample.arguments for sample in dynamic_samples(ops["rms_norm"])]
    assert len(calls) == 3
    for dims in zip(*(call["x"].shape for call in calls), strict=True):
        assert len(set(dims)) == 3
        assert min(dims) > 1
    assert len({call["x"].dtype for call in calls}) == len({call["eps"] for call in calls}) == 1


def test_arguments_with_a_default_have_another_value_that_the_checks_allow(ops):
    samples = make_samples(ops["weigh"])
    assert {*_values(samples, "alpha")} == {2.0, 1.0}
    assert {*_values(samples, "eps")} == {1e-5, 2e-5}
    assert {*_values(samples, "beta")} == {1, 2, 0.5}
    assert {*_values(samples, "dtype")} == {DtypeValue("float32"), DtypeValue("float64")}


def test_the_elements_of_a_list_differ(ops):
    for weights in _values(make_samples(ops["weigh"]), "weights"):
        assert len({*weights}) == len(weights) > 1


def test_a_call_that_the_dispatcher_refuses_is_not_made(ops):
    wrong = {sample.label for sample in make_samples(ops["weigh"]).wrong}
    assert "not eps >= 1e-5" in wrong
    assert "not len(xs) > 0" not in wrong


def test_a_problem_is_told(ops):
    assert make_samples(ops["contradiction"]).problem == "no call was found that satisfies n < 3"
    assert make_samples(ops["endless"]).problem == "no call was found that satisfies n - 5000 >= 0"
    assert make_samples(ops["tiny"]).problem.startswith(
        "no call was found that satisfies the contract: a 'x' of shape ["
    )
    assert make_samples(ops["opaque"]).problem == "no value can be made for 'stream' of type Stream"


def test_samples_do_not_depend_on_hashes(tmp_path):
    (tmp_path / "ops.yaml").write_text(LIBRARY)
    script = (
        "from pathlib import Path; from opgen.spec.load import load_library; from opgen.model.build import build_library;"
        "from opgen.model.samples import make_samples;"
        "print([make_samples(op) for op in build_library(load_library(Path('ops.yaml')).library).library.ops])"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_a_search_through_thousands_of_names_comes_to_an_end():
    names = [f"k{i}" for i in range(3000)]
    chain = [Comparison(("<=",), (Name(one), Name(other))) for one, other in pairwise(names)]
    last = Comparison((">",), (Name(names[-1]), Constant(0)))
    candidates = dict.fromkeys(names, (0, 1))
    found = next(assignments(candidates, [*chain, last], {}))
    assert found == {**dict.fromkeys(names[:-1], 0), names[-1]: 1}
    assert next(assignments(candidates, [*chain, Comparison((">",), (Name("k0"), Name(names[-1])))], {}), None) is None


def test_names_that_no_condition_joins_are_searched_apart():
    candidates = {"a": (1, 2), "b": (1, 2), "c": (1, 2), "d": (1, 2)}
    conditions = [Comparison(("!=",), (Name("d"), Name("b"))), Comparison((">",), (Name("c"), Constant(1)))]
    found = [*assignments(candidates, conditions, {})]
    assert [tuple(each.items()) for each in found] == [
        (("a", 1), ("b", 1), ("d", 2), ("c", 2)),
        (("a", 1), ("b", 2), ("d", 1), ("c", 2)),
    ]


def test_an_op_of_hundreds_of_tensors_has_no_more_values_in_its_samples_than_others(tmp_path):
    def values(count):
        arguments = ", ".join(f"Tensor a{i}" for i in range(count))
        contracts = ", ".join(f"a{i}: 'float [n{i}]'" for i in range(count))
        path = tmp_path / f"ops{count}.yaml"
        head = "opgen: 1\nnamespace: mylib\nops:\n"
        path.write_text(f"{head}  - func: f({arguments}) -> ()\n    tensors: {{{contracts}}}\n")
        (op,) = build_library(load_library(path).library).library.ops
        samples = make_samples(op)
        assert samples.valid
        assert samples.wrong
        return sum(len(each.arguments) for each in (*samples.valid, *samples.wrong))

    assert values(20) < values(200) < 40_000
