"""The same calls on the C++ checks and on the fakes: both accept, with equal outputs, or refuse in the same words."""

from __future__ import annotations

import math

import pytest

from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
    CheckAligned,
    CheckCondition,
    CheckContiguous,
    CheckDevice,
    CheckDtype,
    CheckPack,
    CheckRank,
    CheckSize,
    CheckStride,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    Extent,
    OutputSpec,
    PackExtent,
    SolveSize,
    Step,
)
from opgen.spec.expression import Constant, Name

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.compile, pytest.mark.torch]

FLOAT = DtypeSet(("float16", "bfloat16", "float32", "float64"))
BATCH = PackExtent("batch")


def _condition(expression, text, message=None, given=()):
    return Step(CheckCondition(expression(text), text, message), given)


def _ops(make_op, expression):
    """Yield ops that have every kind of check and of output between them."""
    yield make_op(
        "rms_norm(Tensor x, Tensor weight, Tensor? bias=None, float eps=1e-6) -> Tensor",
        [
            Step(CheckRank("x", 1, exact=False, written="[*batch, hidden]")),
            Step(CheckRank("weight", 1, exact=True, written="[hidden]")),
            Step(CheckRank("bias", 1, exact=True, written="[2*half]"), ("bias",)),
            Step(CheckDtype("x", FLOAT)),
            Step(CheckDtype("weight", DtypeLike("x"))),
            Step(CheckDtype("bias", DtypeEither((DtypeLike("x"), DtypeLike("weight")), ("float32",))), ("bias",)),
            Step(CheckDevice("weight", "x")),
            Step(BindPack("batch", "x", 0, 1)),
            Step(BindSize("hidden", "x", -1)),
            Step(SolveSize("half", "bias", 0, None, Constant(2), "2*half"), ("bias",)),
            Step(CheckSize("weight", 0, Name("hidden"), "hidden")),
            Step(CheckContiguous("weight", "contiguous")),
            _condition(expression, "0 < eps < 1"),
            _condition(expression, "half == hidden", given=("bias",)),
        ],
        [OutputSpec("out", (BATCH, Extent(Name("hidden"))), DtypeLike("x"), "x")],
        ["batch"],
    )
    yield make_op(
        "blocks(Tensor x, SymInt block, SymInt[] pad, str mode='sum', ScalarType? out_dtype=None) -> (Tensor q, Tensor s)",
        [
            Step(CheckRank("x", 2, exact=True, written="[rows, n]")),
            Step(BindSize("rows", "x", 0)),
            Step(BindSize("n", "x", 1)),
            Step(CheckStride("x", -1, Constant(1))),
            _condition(expression, "mode in ('sum', 'mean')"),
            _condition(expression, "n % block == 0 or mode == 'mean'", "blocks must fit"),
            _condition(expression, "pad[0] >= 0 and pad[-1] < n"),
            _condition(expression, "out_dtype in (None, float32, int8)"),
        ],
        [
            OutputSpec(
                "q",
                (Extent(expression("rows - pad[0]")), Extent(expression("ceil(n/block)"))),
                DtypeArgument("out_dtype", DtypeLike("x")),
                "x",
            ),
            OutputSpec(
                "s",
                (Extent(expression("max(rows, n)")), Extent(expression("(2 if mode == 'sum' else 3)"))),
                DtypeSet(("float32",)),
                "x",
                strides=(Constant(1), expression("max(rows, n)")),
            ),
        ],
    )
    yield make_op(
        "broadcasting(Tensor x, Tensor y, SymInt[] sizes) -> (Tensor, Tensor)",
        [
            Step(CheckRank("y", 1, exact=False, written="[*b, 3]")),
            Step(CheckDtype("y", DtypeSet(("float32", "int64")))),
            Step(BindPack("a", "x", 0, 0)),
            Step(BindPack("b", "y", 0, 1)),
            Step(CheckSize("y", -1, Constant(3), "3")),
        ],
        [
            OutputSpec("out0", (BroadcastExtent(("a", "b")), Extent(Constant(3))), DtypePromoted(("x", "y")), "x"),
            OutputSpec(
                "out1",
                (PackExtent("sizes", is_argument=True), Extent(expression("prod(a)"))),
                DtypeSet(("bool",)),
                None,
                device_type="cpu",
            ),
        ],
        ["a", "b"],
    )
    yield make_op(
        "lists(Tensor[] xs, Tensor image, Tensor?[] extras) -> Tensor",
        [
            _condition(expression, "len(xs) > 0"),
            Step(CheckRank("xs", 2, exact=True, written="[n, _]"), each=True),
            Step(CheckDtype("xs", DtypeSet(("float32",))), each=True),
            Step(CheckDevice("xs", "xs"), each=True),
            Step(BindSize("n", "xs", 0), each=True),
            Step(CheckSize("xs", 0, Name("n"), "n"), each=True),
            Step(CheckRank("extras", 1, exact=True, written="[n]"), each=True),
            Step(CheckSize("extras", 0, Name("n"), "n"), each=True),
            Step(CheckRank("image", 4, exact=True, written="[n, c, h, w]")),
            Step(CheckContiguous("image", "channels_last")),
            Step(CheckAligned("image", 16)),
            Step(BindPack("rest", "image", 1, 0)),
        ],
        [
            OutputSpec(
                "out", (PackExtent("rest"), Extent(Name("n"))), DtypeLike("xs"), "xs", memory_format="channels_last"
            )
        ],
        ["rest"],
    )
    yield make_op(
        "packs(Tensor(a!) out, Tensor x, SymInt[] sizes, int? k=None, bool? flag=None) -> ()",
        [
            Step(CheckRank("out", 2, exact=False, written="[*batch, heads*size]")),
            Step(CheckRank("x", 1, exact=False, written="[2, *batch]")),
            Step(BindPack("batch", "x", 1, 0)),
            Step(CheckPack("out", 0, 1, BATCH)),
            Step(BindSize("size", "x", 0)),
            Step(SolveSize("heads", "out", -1, Constant(1), Name("size"), "heads*size + 1")),
            Step(CheckPack("x", 0, 0, PackExtent("sizes", is_argument=True))),
            _condition(expression, "k == None or 0 < heads"),
            _condition(expression, "k != 3"),
            _condition(expression, "not flag"),
        ],
        packs=["batch"],
    )
    yield make_op(
        "keywords(Tensor int, SymInt double, SymInt len=2, *, Tensor? lambda_=None) -> Tensor",
        [
            Step(CheckRank("int", 1, exact=True, written="[double]")),
            Step(BindSize("class", "int", 0)),
            Step(BindSize("out", "int", 0)),
            Step(CheckSize("int", 0, Name("double"), "double")),
            Step(CheckSize("lambda_", 0, Name("class"), "class"), ("lambda_",)),
        ],
        [OutputSpec("out", (Extent(expression("class*double*len + 0*out")),), DtypeLike("int"), "int")],
    )
    yield make_op(
        "sums(Tensor x, SymInt[] sizes, SymInt k) -> Tensor",
        [_condition(expression, "k - 1 < 5 or k > 9")],
        [OutputSpec("out", (Extent(expression("prod(sizes) + k")),), DtypeSet(("int8",)), None, device_type="cpu")],
    )
    yield make_op(
        "absent(Tensor? y, Tensor? z, Tensor[] xs, SymInt k, SymInt[] pad, SymInt check=1) -> ()",
        [
            Step(CheckRank("y", 1, exact=True, written="[m]"), ("y",)),
            Step(CheckRank("z", 2, exact=True, written="[m, 0]"), ("z",)),
            Step(CheckDtype("y", DtypeEither((DtypeLike("xs"),), ("int8", "bool"))), ("y",)),
            Step(CheckDevice("z", "xs"), ("z",)),
            Step(CheckDtype("z", DtypeLike("y")), ("y", "z")),
            Step(BindSize("m", "y", 0), ("y",)),
            Step(CheckSize("z", 0, Name("m"), "m"), ("y", "z")),
            Step(CheckSize("z", 1, Constant(0), "0"), ("z",)),
            _condition(expression, "not given(y) or k == 1 or y.size(0) == pad[0]", "sizes must fit"),
            _condition(expression, "k < 3 and check < 3"),
        ],
    )


@pytest.fixture(scope="module")
def calls(make_op, expression, compile_checks):
    return compile_checks("opgen_checks", list(_ops(make_op, expression)))


def f(*shape, dtype=torch.float32):
    return torch.zeros(shape, dtype=dtype)


GOOD = [
    ("rms_norm", [f(2, 3, 8), f(8)], {}),
    ("rms_norm", [f(8), f(8), f(16)], {"eps": 0.5}),
    ("rms_norm", [f(0, 8, dtype=torch.float16), f(8, dtype=torch.float16), f(16)], {}),
    ("blocks", [f(4, 6), 3, [1, 2]], {}),
    ("blocks", [f(4, 6).t()[:, :1], 1, [0]], {}),
    ("blocks", [f(4, 7), 3, [0]], {"mode": "mean", "out_dtype": torch.int8}),
    ("broadcasting", [f(2, 1), f(5, 3), [4, 0]], {}),
    ("broadcasting", [f(2, 1, dtype=torch.int32), f(3, dtype=torch.int64), []], {}),
    ("broadcasting", [f(dtype=torch.float64), f(1, 5, 3), [1]], {}),
    ("broadcasting", [f(2, dtype=torch.int8), f(2, 3, dtype=torch.float32), [1]], {}),
    ("lists", [[f(2, 1), f(2, 9)], f(2, 3, 4, 5).to(memory_format=torch.channels_last), [None, f(2)]], {}),
    ("packs", [f(4, 7), f(2, 4), [2, 4]], {"k": 1}),
    ("packs", [f(4, 7), f(2, 4), [2, 4]], {"flag": False}),
    ("keywords", [f(3), 3], {}),
    ("sums", [f(1), [2, 3], -1], {}),
    ("absent", [None, None, [f(1)], 0, []], {}),
    ("absent", [None, f(3, 0), [], 0, []], {}),
    ("absent", [f(2), f(2, 0), [f(1)], 0, [2]], {}),
    ("absent", [f(2, dtype=torch.bool), None, [f(1)], 1, []], {}),
]

BAD = [
    ("rms_norm", [f(), f(8)], {}, "argument 'x': expected at least 1 dim [*batch, hidden], got a 0-dim tensor"),
    ("rms_norm", [f(8), f(1, 8)], {}, "argument 'weight': expected 1 dim [hidden], got a 2-dim tensor of shape [1, 8]"),
    (
        "rms_norm",
        [f(8, dtype=torch.int64), f(8)],
        {},
        "argument 'x': expected float16, bfloat16, float32 or float64, got int64",
    ),
    (
        "rms_norm",
        [f(8), f(8, dtype=torch.float64)],
        {},
        "argument 'weight': expected x.dtype (float32), got float64",
    ),
    ("rms_norm", [f(8), f(7)], {}, "argument 'weight': expected size 8 at dim 0 (hidden, as in x.size(-1)), got 7"),
    ("rms_norm", [f(8), f(16)[::2]], {}, "expected a contiguous tensor, got strides [2] for shape [8]"),
    ("rms_norm", [f(8), f(8)], {"eps": -1.0}, "argument 'eps': expected 0 < eps < 1, got eps = -1.0"),
    ("rms_norm", [f(8), f(8)], {"eps": 1e22}, "got eps = 1e+22"),
    ("rms_norm", [f(8), f(8)], {"eps": 123456.789}, "got eps = 123456.789"),
    ("rms_norm", [f(8), f(8)], {"eps": math.inf}, "got eps = inf"),
    ("rms_norm", [f(8), f(8)], {"eps": math.nan}, "got eps = nan"),
    ("rms_norm", [f(8), f(8), f(15)], {}, "argument 'bias': expected a size 2*half with half >= 0 at dim 0, got 15"),
    ("rms_norm", [f(8), f(8), f(18)], {}, "expected half == hidden, got half = 9, hidden = x.size(-1) = 8"),
    (
        "rms_norm",
        [f(8), f(8), f(16, dtype=torch.int8)],
        {},
        "argument 'bias': expected x.dtype (float32), weight.dtype (float32) or float32, got int8",
    ),
    ("blocks", [f(4, 6), 0, [1]], {}, "argument 'block': expected block != 0, got block = 0"),
    ("blocks", [f(4, 6), 3, []], {}, "argument 'pad': expected len(pad) >= 1, got len(pad) = 0"),
    ("blocks", [f(4, 6), 3, [9, 2]], {}, "output 'q': expected a size >= 0 at dim 0, got rows - pad[0] = -5"),
    ("blocks", [f(4, 6), 3, [2, 9]], {}, "expected pad[0] >= 0 and pad[-1] < n"),
    (
        "blocks",
        [f(4, 6), 3, [1]],
        {"mode": "naïve"},
        "argument 'mode': expected mode in ('sum', 'mean'), got mode = 'naïve'",
    ),
    (
        "blocks",
        [f(4, 7), 3, [1]],
        {},
        "blocks must fit (expected n % block == 0 or mode == 'mean', got n = x.size(1) = 7, block = 3, mode = 'sum')",
    ),
    ("blocks", [f(4, 6), 3, [1]], {"mode": "it's\\\n\x01"}, 'got mode = "it\'s\\\\\\n\\x01"'),
    ("blocks", [f(4, 6), 3, [1]], {"mode": "'\""}, r"""got mode = '\'"'"""),
    ("blocks", [f(4, 6).t(), 1, [1]], {}, "argument 'x': expected stride 1 at dim -1, got strides [1, 6]"),
    ("blocks", [f(4, 6), 3, [1]], {"out_dtype": torch.float64}, "got out_dtype = float64"),
    ("broadcasting", [f(2), f(4, 3), [1]], {}, "expected sizes that broadcast, got a = [2] and b = [4]"),
    ("broadcasting", [f(2), f(2, 3), [1, -1]], {}, "argument 'sizes': expected sizes >= 0, got [1, -1]"),
    ("broadcasting", [f(2), f(2, 4), [1]], {}, "argument 'y': expected size 3 at dim -1, got 4"),
    ("lists", [[], f(1, 1, 1, 1), []], {}, "argument 'xs': expected len(xs) > 0, got len(xs) = 0"),
    ("lists", [[f(2, 1), f(2)], f(1, 1, 1, 1), []], {}, "argument 'xs[1]': expected 2 dims [n, _], got a 1-dim tensor"),
    (
        "lists",
        [[f(2, 1), f(3, 1)], f(1, 1, 1, 1), []],
        {},
        "argument 'xs[1]': expected size 2 at dim 0 (n, as in xs[0].size(0))",
    ),
    ("lists", [[f(2, 1)], f(1, 1, 1, 1), [None, f(3)]], {}, "argument 'extras[1]': expected size 2"),
    (
        "lists",
        [[f(2, 1)], f(2, 3, 4, 5), []],
        {},
        "argument 'image': expected a channels_last tensor, got strides [60, 20, 5, 1]",
    ),
    (
        "packs",
        [f(5, 7), f(2, 4), [2, 4]],
        {},
        "argument 'out': expected sizes [4] in dims [:-1] (*batch, as in x.shape[1:]), got [5]",
    ),
    (
        "packs",
        [f(4, 6), f(2, 4), [2, 4]],
        {},
        "expected a size heads*size + 1 with heads >= 0 at dim -1 for size = x.size(0) = 2, got 6",
    ),
    ("packs", [f(4, 7), f(0, 4), [0, 4]], {}, "expected size != 0, got size = x.size(0) = 0"),
    ("packs", [f(4, 0), f(1, 4), [1, 4]], {}, "expected a size heads*size + 1 with heads >= 0"),
    ("packs", [f(4, 7), f(2, 4), [2, 5]], {}, "argument 'x': expected sizes [2, 5] (*sizes), got [2, 4]"),
    ("packs", [f(4, 1), f(2, 4), [2, 4]], {"k": 1}, "expected k == None or 0 < heads, got k = 1, heads = 0"),
    ("packs", [f(4, 7), f(2, 4), [2, 4]], {"k": 3}, "argument 'k': expected k != 3, got k = 3"),
    ("packs", [f(4, 7), f(2, 4), [2, 4]], {"flag": True}, "argument 'flag': expected not flag, got flag = True"),
    (
        "absent",
        [f(2, 2), None, [f(1)], 0, []],
        {},
        "argument 'y': expected 1 dim [m], got a 2-dim tensor of shape [2, 2]",
    ),
    ("absent", [f(2), None, [], 0, []], {}, "argument 'xs': expected len(xs) >= 1, got len(xs) = 0"),
    (
        "absent",
        [f(2, dtype=torch.int64), None, [f(1)], 0, []],
        {},
        "argument 'y': expected xs.dtype (float32), int8 or bool, got int64",
    ),
    ("absent", [f(2), f(2, 0, dtype=torch.int8), [f(1)], 1, []], {}, "'z': expected y.dtype (float32), got int8"),
    ("absent", [f(2), f(3, 0), [f(1)], 1, []], {}, "'z': expected size 2 at dim 0 (m, as in y.size(0)), got 3"),
    ("absent", [None, f(3, 1), [], 1, []], {}, "argument 'z': expected size 0 at dim 1, got 1"),
    (
        "absent",
        [f(2), None, [f(1)], 0, [3]],
        {},
        "sizes must fit (expected not given(y) or k == 1 or y.size(0) == pad[0], got given(y) = True, k = 0)",
    ),
    ("absent", [None, None, [f(1)], 1, []], {"check": 3}, "expected k < 3 and check < 3, got k = 1, check = 3"),
    ("keywords", [f(3), 3, 2**62], {}, "expected numbers that fit into 64 bits, got 9 * 4611686018427387904"),
    ("blocks", [f(4, 6), 3, [-(2**63)]], {}, "expected pad[0] >= 0 and pad[-1] < n"),
    (
        "sums",
        [f(1), [2**40, 2**40], 0],
        {},
        "expected numbers that fit into 64 bits, got 1099511627776 * 1099511627776",
    ),
    ("sums", [f(1), [2**62], 2**62], {}, "got 4611686018427387904 + 4611686018427387904"),
    ("sums", [f(1), [1], -(2**63)], {}, "got -9223372036854775808 - 1"),
    ("keywords", [f(3), 4], {}, "argument 'int': expected size 4 at dim 0 (double), got 3"),
    (
        "keywords",
        [f(3), 3],
        {"lambda_": f(2)},
        "argument 'lambda_': expected size 3 at dim 0 (class, as in int.size(0)), got 2",
    ),
]


def _signature(result):
    outputs = result if isinstance(result, tuple) else (result,)
    return [(output.shape, output.stride(), output.dtype, output.device) for output in outputs if output is not None]


@pytest.mark.parametrize(("name", "args", "kwargs"), GOOD)
def test_both_accept_a_right_call_and_make_equal_outputs(calls, name, args, kwargs):
    kernel, fake = calls[name]
    assert _signature(kernel(*args, **kwargs)) == _signature(fake(*args, **kwargs))


@pytest.mark.parametrize(("name", "args", "kwargs", "words"), BAD)
def test_both_refuse_a_wrong_call_in_the_same_words(calls, name, args, kwargs, words):
    kernel, fake = calls[name]
    with pytest.raises(RuntimeError) as refused:
        kernel(*args, **kwargs)
    first_line = str(refused.value).splitlines()[0]
    assert first_line.startswith(f"mylib::{name}: ")
    assert words in first_line
    with pytest.raises(RuntimeError) as refused:
        fake(*args, **kwargs)
    assert str(refused.value) == first_line


def test_another_device_is_named(calls):
    _, fake = calls["rms_norm"]
    with pytest.raises(RuntimeError, match=r"argument 'weight': expected x.device \(cpu\), got meta$"):
        fake(f(8), f(8).to("meta"))
