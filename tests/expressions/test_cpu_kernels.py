"""CPU kernels from expressions: reductions, broadcasts and options, for all dtypes and strides."""

import itertools

import pytest

torch = pytest.importorskip("torch")

pytestmark = [pytest.mark.compile, pytest.mark.torch]

DECLARATIONS = """\
opgen: 1
namespace: expressed
defaults: {autograd: none}
ops:
  - func: softmax(Tensor x) -> Tensor
    tensors: {x: "float [*batch, n]", return: "x.dtype [*batch, n]"}
    reduce: {m: "max(x, n)", s: "sum(exp(x - m), n)"}
    pointwise: exp(x - m) / s
  - func: layer_norm(Tensor x, Tensor? weight, Tensor? bias, float eps) -> (Tensor out, Tensor rstd)
    tensors:
      x: "float [*batch, n]"
      weight: "x.dtype [n]"
      bias: "x.dtype [n]"
      out: "x.dtype [*batch, n]"
      rstd: "float32 [*batch]"
    reduce: {mean: "mean(x, n)", var: "var(x, n, correction=0)"}
    pointwise:
      rstd: rsqrt(var + eps)
      scaled: (x - mean) * rstd * weight if given(weight) else (x - mean) * rstd
      out: scaled + bias if given(bias) else scaled
  - func: moments(Tensor x) -> (Tensor total, Tensor product, Tensor spread, Tensor log)
    tensors: {x: "float32|float64 [n, *batch]", total: "x.dtype [*batch]", product: "x.dtype [*batch]", spread: "x.dtype [*batch]", log: "x.dtype [*batch]"}
    reduce: {total: "sum(x, n)", product: "prod(x, n)", spread: "var(x, n)", log: "logsumexp(x, n)"}
  - func: extremes(Tensor x) -> (Tensor most, Tensor where, Tensor least)
    tensors: {x: "float32|float16|int32|uint8 [*batch, n]", most: "x.dtype [*batch]", where: "int64 [*batch]", least: "int64 [*batch]"}
    reduce: {most: "max(x, n)", where: "argmax(x, n)", least: "argmin(x, n)"}
  - func: scaled_as(Tensor x, float by, *, ScalarType? dtype=None) -> Tensor
    tensors: {x: "float32|float16 [n]", return: "dtype or x.dtype [n]"}
    pointwise: x * by
  - func: truth(Tensor x) -> (Tensor some, Tensor every)
    tensors: {x: "float32 [m, *rest]", some: "bool [m]", every: "bool [m]"}
    reduce: {some: "any(x > 0, *rest)", every: "all(x > 0, *rest)"}
  - func: scaled(Tensor x, Tensor scale) -> Tensor
    tensors: {x: "bfloat16 [m, n]", scale: "float32 [m]", return: "float32 [m]"}
    reduce: {total: "sum(x * scale, n)"}
    pointwise: total * scale
  - func: mixed(Tensor x, Tensor y) -> Tensor
    pointwise: where(x < y, x + y, x - y)
  - func: clamped(Tensor x, float? low=None, float? high=None) -> Tensor
    pointwise:
      low_x: maximum(x, low) if given(low) else x
      return: minimum(low_x, high) if given(high) else low_x
  - func: any_number(Tensor x, Scalar by, Scalar? more=None) -> Tensor
    tensors: {x: "float32|float64 [*batch, n]", return: "x.dtype [*batch, n]"}
    abi: classic
    reduce: {total: "sum(x, n)"}
    pointwise: x / total * by + (more if given(more) else 0)
  - func: named(Tensor space, Tensor? tile, Tensor double, int types, float points) -> Tensor
    tensors: {space: "float32 [*row, n]", tile: "space.dtype [n]", double: "float32 [*row]", return: "space.dtype [*row, n]"}
    reduce: {row_: "max(space, n)", std: "sum(exp(space - row_), n)", mean: "mean(space, n)", mean_sum: "sum(space - mean, n)"}
    pointwise:
      space_t: exp(space - row_) / std * points
      at_point: space_t * types + tile if given(tile) else space_t * types
      n_place: index(n) * 2
      return: at_point + mean + mean_sum + double * n_place
"""
SHAPES = [(6,), (3, 10), (0, 4), (5, 0, 6), (7, 33, 70), (2, 3000, 18), (3, 9000)]
TOLERANCE = {torch.float32: 2e-6, torch.float64: 1e-12, torch.bfloat16: 1e-2, torch.float16: 1e-3}


@pytest.fixture(scope="module")
def ops(built):
    built("expressed_ops", DECLARATIONS)
    import expressed_ops  # noqa: F401, PLC0415 - it is there now

    return torch.ops.expressed


def layouts(x):
    """The same elements: beside each other, with gaps, from an odd address on, turned."""
    yield x
    gaps = torch.stack([x, x], dim=-1).flatten(-2)
    yield gaps[..., ::2]
    yield torch.cat([x[..., :1], x], dim=-1)[..., 1:] if x.numel() else x
    if x.dim() > 1:
        yield x.transpose(0, -1).contiguous().transpose(0, -1)


def inputs(dtypes):
    generator = torch.Generator().manual_seed(0)
    for dtype, shape in itertools.product(dtypes, SHAPES):
        x = (torch.randn(shape, generator=generator) * 3).to(dtype)
        yield from layouts(x)


def check(found, exact, dtype=None):
    tolerance = TOLERANCE[dtype or found.dtype]
    torch.testing.assert_close(
        found.double(), exact.to(found.dtype).double(), rtol=tolerance, atol=tolerance, equal_nan=True
    )


def test_softmax(ops):
    for x in inputs(TOLERANCE):
        check(ops.softmax(x), x.double().softmax(-1))


@pytest.mark.parametrize(("has_weight", "has_bias"), itertools.product([False, True], repeat=2))
def test_layer_norm_whatever_is_given(has_weight, has_bias, ops):
    for x in inputs(TOLERANCE):
        n = x.shape[-1]
        weight = torch.linspace(-1, 2, n).to(x.dtype) if has_weight else None
        bias = torch.linspace(1, 0, n).to(x.dtype) if has_bias else None
        out, rstd = ops.layer_norm(x, weight, bias, 1e-5)
        wide = [None if each is None else each.double() for each in (weight, bias)]
        check(out, torch.nn.functional.layer_norm(x.double(), (n,), *wide, 1e-5))
        check(rstd, (x.double().var(-1, correction=0) + 1e-5).rsqrt())


def test_numbers_of_any_kind_arrive_on_the_classic_abi(ops):
    x = torch.arange(1.0, 7)
    check(ops.any_number(x, 2), x.double() / 21 * 2)
    check(ops.any_number(x.double(), 0.3, more=True), x.double() / 21 * 0.3 + 1)


def test_names_may_be_those_of_what_is_generated(ops):
    space, tile, double = torch.randn(3, 5), torch.randn(5), torch.randn(3)
    exact = space.double().softmax(-1) * 1.5 + space.double().mean(-1, keepdim=True)
    exact += double.double()[:, None] * torch.arange(0, 10, 2)
    check(ops.named(space, None, double, 3, 0.5), exact)
    check(ops.named(space, tile, double, 3, 0.5), exact + tile)


def test_a_large_mean_costs_no_digits(ops):
    x = torch.randn(4, 5000) + 1e4
    _, _, spread, _ = ops.moments(x.T)
    torch.testing.assert_close(spread.double(), x.double().var(-1), rtol=1e-5, atol=0)


def test_reductions_along_outer_dims(ops):
    for x in inputs([torch.float32, torch.float64]):
        wide = x.double()
        total, product, spread, log = ops.moments(x)
        torch.testing.assert_close(total.double(), wide.sum(0), rtol=1e-5, atol=1e-3)
        if x.shape[0] < 100:
            torch.testing.assert_close(product.double(), wide.prod(0), rtol=1e-4, atol=1e-30)
        if x.shape[0] > 1:
            torch.testing.assert_close(spread.double(), wide.var(0), rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(log.double(), wide.logsumexp(0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int32, torch.uint8])
def test_extremes_are_the_first_ones(dtype, ops):
    for x in inputs([torch.float32]):
        if not x.numel():
            continue
        x = x.abs().round().to(dtype)  # noqa: PLW2901 - many are equal
        most, where, least = ops.extremes(x)
        assert torch.equal(most, x.amax(-1))
        assert torch.equal(where, x.float().argmax(-1))
        assert torch.equal(least, x.float().argmin(-1))


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_no_elements_have_no_extremes(device, ops):
    with pytest.raises(RuntimeError, match=r"'max' of no elements has no value \(expected n > 0"):
        ops.extremes(torch.ones(3, 0, device=device))
    assert ops.extremes(torch.ones(0, 3, device=device))[0].shape == (0,)


def test_nan_is_an_extreme(ops):
    x = torch.randn(3, 70)
    x[1, 40] = x[1, 60] = torch.nan
    most, where, least = ops.extremes(x)
    assert most.isnan().tolist() == [False, True, False]
    assert where[1] == least[1] == 40


@pytest.mark.parametrize("dtype", [None, torch.float64, torch.bfloat16, torch.int32, torch.float8_e4m3fn])
def test_a_dtype_may_be_chosen_at_the_call(dtype, ops):
    x = torch.arange(6, dtype=torch.float32)
    found = ops.scaled_as(x, 2.0, dtype=dtype)
    assert found.dtype == (dtype or x.dtype)
    assert found.tolist() == [0, 2, 4, 6, 8, 10]


def test_truth_along_a_run_of_dims(ops):
    for x in inputs([torch.float32]):
        rest = tuple(range(1, x.dim()))
        some, every = ops.truth(x)
        assert torch.equal(some, (x > 0).any(rest) if rest else x > 0)
        assert torch.equal(every, (x > 0).all(rest) if rest else x > 0)


def test_an_operand_without_the_reduced_axes(ops):
    x, scale = torch.randn(37, 501).bfloat16(), torch.randn(37)
    exact = (x.double() * scale.double()[:, None]).sum(-1) * scale.double()
    torch.testing.assert_close(ops.scaled(x, scale).double(), exact, rtol=1e-4, atol=1e-4)


DTYPES = [torch.float32, torch.bfloat16, torch.float64, torch.int64, torch.int8, torch.uint8]


@pytest.mark.parametrize(("first", "second"), itertools.product(DTYPES, repeat=2))
def test_any_dtypes_are_promoted_and_broadcast(first, second, ops):
    x = torch.randint(0, 50, (4, 1, 300)).to(first)
    y = torch.randint(0, 50, (7, 300)).to(second)[:, ::3]
    found = ops.mixed(x[..., :100], y)
    dtype = torch.promote_types(first, second)
    a, b = x[..., :100].to(torch.float64), y.to(torch.float64)
    exact = torch.where(a < b, a + b, a - b)
    assert found.dtype == dtype
    torch.testing.assert_close(found, exact.to(torch.int64 if not dtype.is_floating_point else dtype).to(dtype))


@pytest.mark.parametrize(("low", "high"), [(None, None), (-1.0, None), (None, 0.5), (-1.0, 0.5)])
def test_optional_numbers(low, high, ops):
    for x in inputs([torch.float32, torch.bfloat16]):
        wanted = x if low is None and high is None else x.clamp(low, high)
        assert torch.equal(ops.clamped(x, low, high), wanted)


def test_long_rows_are_parted_among_threads(ops):
    x = torch.randn(2, 700_000)
    check(ops.softmax(x), x.double().softmax(-1))
    most, where, _ = ops.extremes(x)
    assert torch.equal(where, x.argmax(-1))
    assert torch.equal(most, x.amax(-1))
    total = ops.moments(x.T)[0]
    torch.testing.assert_close(total.double(), x.double().sum(-1), rtol=1e-4, atol=1e-3)
