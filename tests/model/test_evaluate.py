"""The meaning of plans, on concrete values."""

import pytest

from opgen.model.evaluate import EvaluatedOutput, EvaluatedOutputs, Violation, evaluate
from opgen.model.sample_values import DeviceValue, DtypeValue, TensorValue


def f32(*shape, **others):
    return TensorValue(shape, "float32", **others)


def i64(*shape, **others):
    return TensorValue(shape, "int64", **others)


def shapes(result):
    assert isinstance(result, EvaluatedOutputs), result
    return [output.shape for output in result.outputs.values()]


NORM = ("f(Tensor x, Tensor w) -> Tensor", {"x": "float [*b, h]", "w": "x.dtype [h]", "return": "x.dtype [*b, h]"})
MATMUL = ("f(Tensor a, Tensor b) -> Tensor", {"a": "float [m, k]", "b": "a.dtype [k, n]", "return": "a.dtype [m, n]"})
HEADS = ("f(Tensor x, SymInt size) -> Tensor", {"x": "float [heads*size]", "return": "x.dtype [heads, size]"})
HALVES = ("f(Tensor x) -> Tensor", {"x": "float [2*d + 1]", "return": "x.dtype [d]"})
CONV = (
    "f(Tensor x, SymInt[2] pad) -> Tensor",
    {"x": "float [h, w]", "return": "x.dtype [h + pad[0] - 3, w + pad[-1]]"},
)
DIVIDE = ("f(Tensor x, SymInt k) -> Tensor", {"x": "float [n]", "return": "x.dtype [ceil(n/k), n//k, n%k]"})
ADD = (
    "f(Tensor x, Tensor y) -> Tensor",
    {"x": "any [*a]", "y": "any [*b]", "return": "promote(x, y) [*broadcast(a, b)]"},
)
AXPBY = ("f(Tensor x, Scalar alpha, Tensor? y) -> Tensor", {"x": "any [n]", "return": "promote(x, alpha, y) [n]"})
CAST = ("f(Tensor x, ScalarType? to) -> Tensor", {"x": "float [n]", "return": "to or x.dtype [n]"})
FACTORY = ("f(SymInt n, *, ScalarType t, Device? d) -> Tensor", {"return": "t [n] on d or cpu"})
LISTS = (
    "f(Tensor[] xs, Tensor[] ys) -> Tensor",
    {"xs": "float [_, k]", "ys": "xs.dtype [k]", "return": "xs.dtype [k]"},
)
SIZES = (
    "f(Tensor[] xs, SymInt[] s) -> Tensor",
    {"xs": "float [n]", "return": "float32 [xs[-1].size(0), *s, len(xs), prod(s)]"},
)
SPECIAL = (
    "f(Tensor x, bool wide) -> Tensor",
    {"x": "float [n, m]", "return": "int8 [(max(n, m) if wide else min(n, 2))]"},
)
LAST = (
    "f(Tensor x) -> Tensor",
    {"x": "float [n, c, h, w] channels_last", "return": "x.dtype [n, c, h, w] channels_last"},
)
STRIDED = (
    "f(Tensor x) -> Tensor",
    {"x": "float [n, m] strides[..., 1] aligned(16)", "return": "x.dtype [n, m] strides[1, n]"},
)
OPTIONAL = (
    "f(Tensor x, Tensor? m) -> Tensor",
    {"x": "float [n]", "m": "bool [k]", "return": "x.dtype [(k if given(m) else n)]"},
)
TIED = ("f(Tensor? a, Tensor? b) -> Tensor", {"a": "float [n]", "b": "float [2*n]", "return": "float32 []"})
BLOCK = ("f(Tensor x, SymInt? j=None) -> Tensor", {"x": "float [n, j]", "return": "x.dtype [j]"})
GAPS = ("f(Tensor x, Tensor?[] xs) -> ()", {"x": "float [n]", "xs": "float|int64 [n]"})
BOTH = (
    "f(Tensor? a, Tensor? b) -> Tensor",
    {"a": "float [*s]", "b": "int8 [*s, 2]", "return": "int8 []"},
    ["given(a) == given(b)"],
)
TURNED = ("f(Tensor? z, Tensor? b) -> Tensor", {"z": "float [n]", "b": "float [2*n]", "return": "float32 []"})
PLAIN = ("f(Tensor x) -> ()", {"x": "float [n, 3] contiguous"})
NMS = ("f(Tensor x) -> (Tensor, Tensor)", {"x": "float [n]", "return.0": "int64 [?k<=n, 2]", "return.1": "int64 [?k]"})


@pytest.mark.parametrize(
    ("declaration", "values", "expected"),
    [
        (NORM, {"x": f32(2, 3, 4), "w": f32(4)}, [(2, 3, 4)]),
        (NORM, {"x": f32(4), "w": f32(4)}, [(4,)]),
        (MATMUL, {"a": f32(2, 3), "b": f32(3, 4)}, [(2, 4)]),
        (MATMUL, {"a": f32(2, 0), "b": f32(0, 4)}, [(2, 4)]),
        (HEADS, {"x": f32(12), "size": 4}, [(3, 4)]),
        (HALVES, {"x": f32(7)}, [(3,)]),
        (CONV, {"x": f32(5, 6), "pad": (1, 2)}, [(3, 8)]),
        (DIVIDE, {"x": f32(7), "k": 3}, [(3, 2, 1)]),
        (ADD, {"x": f32(2, 1), "y": f32(3)}, [(2, 3)]),
        (ADD, {"x": f32(), "y": f32(0, 1)}, [(0, 1)]),
        (LISTS, {"xs": (f32(2, 5), f32(3, 5)), "ys": (f32(5),)}, [(5,)]),
        (LISTS, {"xs": (f32(2, 5),), "ys": ()}, [(5,)]),
        (SIZES, {"xs": (f32(2), f32(2)), "s": (3, 4)}, [(2, 3, 4, 2, 12)]),
        (SPECIAL, {"x": f32(3, 4), "wide": True}, [(4,)]),
        (SPECIAL, {"x": f32(3, 4), "wide": False}, [(2,)]),
        (OPTIONAL, {"x": f32(3), "m": None}, [(3,)]),
        (OPTIONAL, {"x": f32(3), "m": TensorValue((4,), "bool")}, [(4,)]),
        (TIED, {"a": f32(3), "b": f32(6)}, [()]),
        (TIED, {"a": None, "b": f32(6)}, [()]),
        (TIED, {"a": f32(3), "b": None}, [()]),
        (BLOCK, {"x": f32(2, 3), "j": None}, [(3,)]),
        (BLOCK, {"x": f32(2, 3), "j": 3}, [(3,)]),
        (GAPS, {"x": f32(2), "xs": (f32(2), None, i64(2))}, []),
        (GAPS, {"x": f32(2), "xs": ()}, []),
        (BOTH, {"a": None, "b": None}, [()]),
        (BOTH, {"a": f32(3, 4), "b": TensorValue((3, 4, 2), "int8")}, [()]),
        (TURNED, {"z": None, "b": f32(6)}, [()]),
        (PLAIN, {"x": f32(1, 3, strides=(7, 1))}, []),
        (PLAIN, {"x": f32(0, 3, strides=(1, 1))}, []),
        (NMS, {"x": f32(5)}, [(None, 2), (None,)]),
        (STRIDED, {"x": f32(2, 3, strides=(8, 1), offset=4)}, [(2, 3)]),
        (STRIDED, {"x": f32(2, 1, strides=(8, 5))}, [(2, 1)]),
        (LAST, {"x": f32(2, 3, 4, 5, strides=(60, 1, 15, 3))}, [(2, 3, 4, 5)]),
    ],
)  # fmt: skip
def test_a_valid_call_has_its_outputs(declaration, values, expected, contract_of):
    assert shapes(evaluate(contract_of(*declaration), values)) == expected


@pytest.mark.parametrize(
    ("declaration", "values", "argument", "expected", "actual"),
    [
        (NORM, {"x": f32(), "w": f32(4)}, "x", "at least 1 dims", "0"),
        (NORM, {"x": f32(2, 4), "w": f32(4, 1)}, "w", "1 dims", "2"),
        (NORM, {"x": f32(2, 4), "w": f32(5)}, "w", "h = 4 at dim 0", "5"),
        (NORM, {"x": i64(2, 4), "w": i64(4)}, "x", "float16 or bfloat16 or float32 or float64", "int64"),
        (NORM, {"x": f32(4), "w": TensorValue((4,), "float64")}, "w", "float32", "float64"),
        (NORM, {"x": f32(4, device="cuda:0"), "w": f32(4)}, "w", "cuda:0", "cpu"),
        (HEADS, {"x": f32(13), "size": 4}, "x", "heads*size", "13"),
        (HEADS, {"x": f32(12), "size": 0}, "x", "computed", "for every heads"),
        (HEADS, {"x": f32(12), "size": -4}, "x", "heads >= 0", "12"),
        (HALVES, {"x": f32(6)}, "x", "2*d + 1", "6"),
        (HALVES, {"x": f32(0)}, "x", "2*d + 1", "0"),
        (CONV, {"x": f32(5, 6), "pad": ()}, None, "outputs", "'pad' has 0 elements"),
        (CONV, {"x": f32(1, 6), "pad": (1, 1)}, None, "outputs", "(-1, 7)"),
        (DIVIDE, {"x": f32(7), "k": 0}, None, "outputs", "division by 0"),
        (ADD, {"x": f32(2), "y": f32(3)}, None, "outputs", "do not broadcast"),
        (ADD, {"x": i64(2), "y": TensorValue((2,), "uint16")}, None, "outputs", "promote(x, y)"),
        (LISTS, {"xs": (f32(2, 5), f32(3, 6)), "ys": ()}, "xs[1]", "k = 5 at dim 1", "6"),
        (LISTS, {"xs": (f32(2, 5), f32(3, 5)), "ys": (f32(5), f32(4))}, "ys[1]", "k = 5 at dim 0", "4"),
        (LISTS, {"xs": (f32(2, 5), i64(3, 5)), "ys": ()}, "xs[1]", "float16", "int64"),
        (LISTS, {"xs": (f32(2, 5), TensorValue((3, 5), "float64")), "ys": ()}, "xs[1]", "float32", "float64"),
        (LISTS, {"xs": (f32(2, 5), f32(3, 5, device="cuda:0")), "ys": ()}, "xs[1]", "cpu", "cuda:0"),
        (LISTS, {"xs": (), "ys": ()}, "xs", "computed", "'xs' has 0 elements"),
        (OPTIONAL, {"x": f32(3), "m": f32(3)}, "m", "bool", "float32"),
        (BLOCK, {"x": f32(2, 3), "j": 4}, "x", "j = 4 at dim 1", "3"),
        (GAPS, {"x": f32(2), "xs": (None, f32(3))}, "xs[1]", "n = 2", "3"),
        (GAPS, {"x": f32(2), "xs": (None, f32(2, device="cuda:0"))}, "xs[1]", "cpu", "cuda:0"),
        (BOTH, {"a": f32(3), "b": None}, None, "given(a) == given(b)", "does not hold"),
        (BOTH, {"a": f32(3), "b": TensorValue((4, 2), "int8")}, "b", "sizes (3,)", "(4,)"),
        (TIED, {"a": f32(3), "b": f32(8)}, "b", "2*n = 6 at dim 0", "8"),
        (TIED, {"a": None, "b": f32(7)}, "b", "2*n", "7"),
        (STRIDED, {"x": f32(2, 3, strides=(1, 2))}, "x", "stride 1 at dim -1", "2"),
        (STRIDED, {"x": f32(2, 3, offset=1)}, "x", "aligned to 16 bytes", "4 bytes beyond"),
        (LAST, {"x": f32(2, 3, 4, 5)}, "x", "channels_last", "(60, 20, 5, 1)"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_refused(declaration, values, argument, expected, actual, contract_of):  # noqa: PLR0913, PLR0917 - the columns of the table
    result = evaluate(contract_of(*declaration), values)
    assert isinstance(result, Violation), result
    assert result.argument == argument
    assert expected in result.expected
    assert actual in result.actual


@pytest.mark.parametrize(
    ("declaration", "values", "dtype", "device"),
    [
        (CAST, {"x": f32(2), "to": None}, "float32", "cpu"),
        (CAST, {"x": f32(2), "to": DtypeValue("int8")}, "int8", "cpu"),
        (FACTORY, {"n": 2, "t": DtypeValue("float64"), "d": None}, "float64", "cpu"),
        (FACTORY, {"n": 2, "t": DtypeValue("bool"), "d": DeviceValue("cuda:1")}, "bool", "cuda:1"),
        (ADD, {"x": i64(2), "y": f32(2)}, "float32", "cpu"),
        (ADD, {"x": f32(2), "y": TensorValue((), "float64")}, "float32", "cpu"),
        (ADD, {"x": i64(2, device="cuda:0"), "y": TensorValue((), "float64", device="cuda:0")}, "float64", "cuda:0"),
        (AXPBY, {"x": i64(2), "alpha": 2, "y": None}, "int64", "cpu"),
        (AXPBY, {"x": i64(2), "alpha": 0.5, "y": None}, "float32", "cpu"),
        (AXPBY, {"x": TensorValue((2,), "bfloat16"), "alpha": 0.5, "y": f32()}, "bfloat16", "cpu"),
        (AXPBY, {"x": TensorValue((2,), "float16"), "alpha": 1j, "y": None}, "complex32", "cpu"),
    ],
)
def test_an_output_has_its_dtype_and_device(declaration, values, dtype, device, contract_of):
    (output,) = evaluate(contract_of(*declaration), values).outputs.values()
    assert (output.dtype, output.device) == (dtype, device)


def test_an_output_has_its_strides(contract_of):
    (plain,) = evaluate(contract_of(*NORM), {"x": f32(2, 3, 0), "w": f32(0)}).outputs.values()
    assert plain == EvaluatedOutput((2, 3, 0), "float32", "cpu", (3, 1, 1))
    (last,) = evaluate(contract_of(*LAST), {"x": f32(2, 3, 4, 5, strides=(60, 1, 15, 3))}).outputs.values()
    assert last.strides == (60, 1, 15, 3)
    (stated,) = evaluate(contract_of(*STRIDED), {"x": f32(2, 3)}).outputs.values()
    assert stated.strides == (1, 2)


def test_a_size_that_the_kernel_finds_is_not_known(contract_of):
    first, second = evaluate(contract_of(*NMS), {"x": f32(5)}).outputs.values()
    assert (first.shape, first.strides) == ((None, 2), None)
    assert (second.shape, second.strides) == ((None,), None)


@pytest.mark.parametrize(
    ("check", "values", "holds"),
    [
        ("0 < k <= n", {"k": 3}, True),
        ("0 < k <= n", {"k": 5}, False),
        ("n % k == 0", {"k": 2}, True),
        ("n % k == 0", {"k": 3}, False),
        ("n % k == 0", {"k": 0}, False),
        ("k == 0 or n % k == 0", {"k": 0}, True),
        ("mode in ('a', 'b')", {"mode": "b"}, True),
        ("mode not in ('a', 'b')", {"mode": "b"}, False),
        ("mode != 'c' and k > 1", {"k": 1}, False),
        ("not flag", {"flag": True}, False),
        ("given(j) == flag", {"j": 1, "flag": True}, True),
        ("given(j) == flag", {"j": None, "flag": True}, False),
        ("not given(j) or j > 1", {"j": 1}, False),
        ("not given(j) or j > 1", {"j": None}, True),
        ("t in (None, float32)", {"t": None}, True),
        ("t == float16", {"t": DtypeValue("float16")}, True),
        ("t == float16", {"t": DtypeValue("float32")}, False),
        ("rank(x) == 1 and numel(x) == x.size(-1)", {}, True),
        ("-k < min(n, 2)*1.5", {"k": -4}, False),
    ],
)
def test_a_condition_holds_or_not(check, values, holds, contract_of):
    func = "f(Tensor x, int k, str mode, bool flag, int? j, ScalarType? t) -> ()"
    contract = contract_of(func, {"x": "float [n]"}, [check])
    arguments = {"x": f32(4), "k": 1, "mode": "a", "flag": False, "j": None, "t": None, **values}
    result = evaluate(contract, arguments)
    assert isinstance(result, EvaluatedOutputs) is holds, result


def test_the_authors_message_is_kept(contract_of):
    contract = contract_of("f(Tensor x, int k) -> ()", {"x": "float [n]"}, [{"k <= n": "choose at most n"}])
    result = evaluate(contract, {"x": f32(4), "k": 5})
    assert (result.expected, result.actual) == ("k <= n", "choose at most n")
