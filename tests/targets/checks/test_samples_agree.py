"""What a contract promises is kept by the C++ checks and by the fakes alike: shown on derived samples."""

from __future__ import annotations

import pytest

from opgen.model.build import build_library
from opgen.model.evaluate import evaluate
from opgen.model.samples import dynamic_samples, make_samples
from opgen.spec.load import load_library

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.compile, pytest.mark.torch]

LIBRARY = """
opgen: 1
namespace: mylib
ops:
  - func: rms_norm(Tensor x, Tensor weight, Tensor? bias=None, float eps=1e-6) -> Tensor
    tensors: {x: "float [*batch, n]", weight: "x.dtype [n] contiguous", bias: "x.dtype|float64 [n]", return: "x.dtype [*batch, n]"}
    checks: [0 < eps < 1]
  - func: attention(Tensor q, Tensor k, SymInt heads, str mode="full", bool causal=False) -> (Tensor, Tensor)
    tensors:
      q: "float16|bfloat16 [tokens, heads*size]"
      k: "q.dtype [tokens, kv_heads, size]"
      return.0: "q.dtype [tokens, heads*size]"
      return.1: "float32 [heads, ceil(tokens/16)]"
    checks:
      - size in (64, 80)
      - "heads % kv_heads == 0": every key head serves the same number of heads
      - mode in ('full', 'window')
      - not causal or mode == 'full'
  - func: matmul(Tensor a, Tensor b, Tensor? scale=None, *, ScalarType? out_dtype=None) -> Tensor
    tensors:
      a: "int8|uint8 [m, k] strides[_, 1]"
      b: "int8 [k, n] strides[1, _] aligned(16)"
      scale: "float32 [(m if rank(scale) == 2 else 1), 1]"
      return: "out_dtype or int32 [m, n]"
    checks: [k % 16 == 0, "out_dtype in (None, float32, int32)"]
  - func: cat(Tensor[] xs, SymInt[] sizes, Tensor y) -> Tensor
    tensors: {xs: "float32|int64 [n, _]", y: "xs.dtype [*a]", return: "xs.dtype [*broadcast(a, a)]"}
    checks: [len(xs) == len(sizes), "sizes[1] >= 0"]
  - func: image(Tensor x, Tensor(a!) out, Tensor?[] masks, *, bool? flip=None) -> ()
    tensors: {x: "float32 [b, c, h, w] channels_last", out: "float32 [b, 2*c + 1, ...]", masks: "bool [h, w]"}
  - func: conv(Tensor x, Tensor weight, SymInt[2] pad=[0, 0], SymInt[2] stride=[1, 1]) -> Tensor
    tensors:
      x: "float32 [b, groups*c, h, w]"
      weight: "float32 [o, c, kh, kw]"
      return: "float32 [b, o, (h + 2*pad[0] - kh)//stride[0] + 1, (w + 2*pad[1] - kw)//stride[1] + 1] channels_last"
  - func: tied(Tensor x, Tensor y, Tensor? z, Tensor w, Tensor[] vs, float alpha=2.0, *, ScalarType? dtype=None) -> Tensor
    tensors:
      x: "float32|int32 [n]"
      y: "float32|int8 [n]"
      z: "x.dtype|y.dtype [n]"
      w: "dtype or x.dtype [n]"
      vs: "x.dtype|y.dtype|bool [n]"
      return: "promote(x, y, alpha) [n]"
    checks: ["dtype in (None, int64)", len(vs) > 0]
  - func: placed(Tensor x, Tensor y, Tensor? z, Tensor[] ws, *, Device? device=None) -> Tensor
    tensors:
      x: "any [n]"
      y: "any [n] on x|cpu"
      z: "any [n] on device or cpu"
      ws: "any [n] on device"
      return: "float32 [n] on device or x"
  - func: laid(Tensor x, Tensor y, Tensor? z, Tensor[] ws) -> (Tensor, Tensor, Tensor, Tensor)
    tensors:
      x: "float32 [m, n] strides[row, _] aligned(16)"
      y: "float32 [m, n] strides(x)"
      z: "float32 [m, k] strides[row, 1]"
      ws: "float32 [n, m] strides(y)"
      return.0: "float32 [m, n] strides(x)"
      return.1: "float32 [m, n, m] strides[..., 1]"
      return.2: "float32 [m, n, m] strides[1, _, m*n]"
      return.3: "float32 [m] strides[row]"
    checks: [row > 1]
  - func: facts(Tensor rows, Tensor ids, Tensor[] more, Tensor? starts, Tensor order, Tensor weights, Tensor(a!) out) -> ()
    overwrites: [out]
    tensors:
      rows: "any [n, d]"
      ids: "int32|int64|int8|uint8|int16 [*batch] in range(0, n)"
      more: "int64 [_, d] in range(-1, n)"
      starts: "int32 [bags + 1] offsets(numel(ids))"
      order: "int64 [n] permutation"
      weights: "float [n] in range(0, 2)"
      out: "int64 [n] in range(0, n)"
  - func: cached(Tensor x, Tensor cache, Tensor values, str kind, Tensor? scale=None) -> Tensor
    tensors:
      x: "float16|bfloat16 [n, size]"
      cache: "x.dtype [blocks, size//4, 4] if kind == 'auto' else uint8 [blocks, size//4, 4]"
      values: "cache.dtype [blocks, size]"
      scale: "None if kind == 'auto' else float32 [m]"
      return: "x.dtype [n, (m if given(scale) else 1)]"
    checks: ["kind in ('auto', 'fp8')", "size in (64, 80)", "kind == 'auto' or given(scale)"]
  - func: form(Tensor x, Tensor y, bool turned, int mode=0) -> (Tensor, Tensor)
    tensors:
      x: "float32 [n, k] contiguous if turned else float64 [2*k, 3, n + 1] contiguous if mode > 2 else int64 [k, n]"
      y: "x.dtype [k] if rank(y) == 1 else x.dtype [n, *rest]"
      return.0: "int8 [k, n] if turned else x.dtype [n]"
      return.1: "float32 [n] strides[k + 1] if turned or n > 3 else uint8 [n, k]"
  - func: quant(Tensor x, Tensor? scale=None, *, bool per_token=False, ScalarType? out_dtype=None) -> (Tensor q, Tensor? new_scale)
    tensors:
      x: "float [*batch, n]"
      scale: "float32 [1]"
      q: "out_dtype or int8 [*batch, n]"
      new_scale: "None if given(scale) else float32 [*batch, 1] if per_token else float32 [n - 1]"
    checks: [not (per_token and given(scale)), "out_dtype in (None, int8, uint8)"]
  - func: scaled(Tensor a, Tensor b_scale, Tensor weights, Tensor? bias=None, *, ScalarType out_dtype) -> Tensor
    tensors:
      a: "int8 [m, *k]"
      b_scale: "float32 [1, m]|[1, 1] strides[1, _]"
      weights: "float32 [*k, 2]|[_, m + 1, 2]|[2]"
      bias: "out_dtype [m]|[1]"
      return: "out_dtype [m]"
    checks: ["out_dtype in (float32, float64)"]
  - func: either(Tensor x, Tensor y, Tensor[] zs, *, ScalarType? wanted=None, ScalarType? other=None) -> Tensor
    tensors:
      x: "float32 [n]"
      y: "wanted or float [n]"
      zs: "wanted or other or x.dtype|int8 [n]"
      return: "wanted or y.dtype [n]"
    checks: ["wanted in (None, int64)", "other in (None, bool)"]
  - func: swap(Tensor x, Tensor(a!) double, Tensor index) -> ()
    tensors: {x: "any [n, *rest] on any", double: "x.dtype [m, *rest] on x", index: "int64 [p, 2] on cpu"}
"""


def _load(path, text):
    path.write_text(text)
    loaded = load_library(path)
    assert not loaded.diagnostics
    built = build_library(loaded.library)
    return {op.name: op for op in built.library.ops}, built.diagnostics


@pytest.fixture(scope="module")
def library(tmp_path_factory, compile_checks):
    ops, diagnostics = _load(tmp_path_factory.mktemp("library") / "ops.yaml", LIBRARY)
    assert not diagnostics
    return ops, compile_checks("opgen_samples", list(ops.values()), check_values=True)


def _arguments(op, sample, materialise):
    values = {name: materialise(value) for name, value in sample.arguments.items()}
    return (
        [values[argument.name] for argument in op.arguments if not argument.kwarg_only],
        {argument.name: values[argument.name] for argument in op.arguments if argument.kwarg_only},
    )


def _described(result):
    outputs = result if isinstance(result, tuple) else () if result is None else (result,)
    return [
        output if output is None else (tuple(output.shape), output.stride(), str(output.dtype)[6:], str(output.device))
        for output in outputs
    ]


NAMES = [
    "rms_norm",
    "attention",
    "matmul",
    "cat",
    "image",
    "conv",
    "cached",
    "form",
    "quant",
    "scaled",
    "either",
    "swap",
    "tied",
    "placed",
    "laid",
    "facts",
]


@pytest.mark.parametrize("name", NAMES)
def test_valid_samples_pass_and_outputs_are_as_promised(library, name, materialise):
    ops, calls = library
    op = ops[name]
    kernel, fake = calls[name]
    for sample in (*make_samples(op).valid, *dynamic_samples(op)):
        args, kwargs = _arguments(op, sample, materialise)
        promised = evaluate(op.tensors, sample.arguments).outputs
        expected = [each and (each.shape, each.strides, each.dtype, each.device) for each in promised.values()]
        assert _described(kernel(*args, **kwargs)) == expected, sample.label
        assert _described(fake(*args, **kwargs)) == expected, sample.label


@pytest.mark.parametrize("name", NAMES)
def test_wrong_samples_are_refused_in_the_same_words(library, name, materialise):
    ops, calls = library
    op = ops[name]
    for sample in make_samples(op).wrong:
        args, kwargs = _arguments(op, sample, materialise)
        spoken = []
        for function in calls[name]:
            if function is calls[name][0] and "meta" in str(sample.arguments):
                continue  # PyTorch itself sends a call with a meta tensor to the fake
            if function is calls[name][1] and sample.label.endswith(("-alignment", "-values")):
                continue  # a fake tensor has no address and no elements
            with pytest.raises(RuntimeError) as refused:
                function(*args, **kwargs)
            spoken.append(str(refused.value).splitlines()[0])
            assert all(words in spoken[-1] for words in sample.mention), sample
        assert len(set(spoken)) == 1, sample.label
