"""`_expressions.py` computes what expressions say, and its gradients are those of PyTorch."""

import json
import math
import types

import pytest

from opgen.build.check import check
from opgen.diagnostics import has_errors
from opgen.model.compute.functions import FUNCTIONS
from opgen.targets.python.expressions import expressions_files

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch


@pytest.fixture
def module_of(tmp_path):
    """Return a function from entries of `ops` to the module that is generated for them, run."""

    def run(*ops):
        library = {"opgen": 1, "namespace": "mylib", "defaults": {"autograd": "derived"}, "ops": ops}
        path = tmp_path / "ops.yaml"
        path.write_text(json.dumps(library), encoding="utf-8")
        checked = check(path)
        assert not has_errors(checked.diagnostics), checked.diagnostics
        (file,) = expressions_files(checked.library)
        module = types.ModuleType("_expressions")
        exec(compile(file.content, "_expressions.py", "exec"), vars(module))  # noqa: S102 - it is what is tested
        return module

    return run


def numbers(*shape, dtype=torch.float64):
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(shape, dtype=torch.float64, generator=generator).to(dtype)


F = torch.nn.functional
B_N = {"x": "float [*b, n]", "return": "x.dtype [*b, n]"}
WHOLE = [
    (
        {"func": "f(Tensor x) -> Tensor", "tensors": B_N, "reduce": {"m": "max(x, n)", "s": "sum(exp(x - m), n)"}, "pointwise": "exp(x - m) / s"},
        [(2, 3, 5)],
        lambda x: x.softmax(-1),
    ),
    (
        {"func": "f(Tensor x) -> Tensor", "tensors": {**B_N, "x": "float [*b, 2*n]"}, "pointwise": "silu(x[..., :n]) * x[..., n:]"},
        [(3, 8)],
        lambda x: F.silu(x[..., :4]) * x[..., 4:],
    ),
    (
        {"func": "f(Tensor x) -> Tensor", "tensors": {**B_N, "x": "float [*b, n + 2]"}, "pointwise": "x[..., 1:n + 1] * 2 - x[..., :n] - x[..., 2:]"},
        [(3, 8)],
        lambda x: x[..., 1:-1] * 2 - x[..., :-2] - x[..., 2:],
    ),
    (
        {"func": "f(Tensor x, Tensor y) -> Tensor", "pointwise": "x * y + sin(x)"},
        [(4, 1, 3), (2, 1)],
        lambda x, y: x * y + x.sin(),
    ),
    (
        {
            "func": "f(Tensor x, Tensor scale, Tensor y) -> Tensor",
            "tensors": {"x": "float [r, *b, n]", "scale": "x.dtype [r]", "y": "x.dtype [n, r]", "return": "x.dtype [r, *b, n]"},
            "pointwise": "x * scale + y",
        },
        [(4, 2, 3, 5), (4,), (5, 4)],
        lambda x, scale, y: x * scale.view(4, 1, 1, 1) + y.T.view(4, 1, 1, 5),
    ),
    (
        {
            "func": "f(Tensor x, Tensor b) -> (Tensor top, Tensor spread)",
            "tensors": {"x": "float [*a, n]", "b": "x.dtype [*a]", "top": "x.dtype [*a]", "spread": "x.dtype [*a]"},
            "reduce": {"m": "max(x * x + b, n)", "v": "var(x * b, n)"},
            "pointwise": {"top": "m + b", "spread": "v * m"},
        },
        [(2, 3, 6), (2, 3)],
        lambda x, b: (
            (x * x + b[..., None]).amax(-1) + b,
            (x * b[..., None]).var(-1) * (x * x + b[..., None]).amax(-1),
        ),
    ),
    (
        {
            "func": "f(Tensor x, Tensor w) -> Tensor",
            "tensors": {"x": "float [*b, n, m]", "w": "x.dtype [m]", "return": "x.dtype [m]"},
            "reduce": {"s": "mean(x * w, *b, n)"},
            "pointwise": "exp(s) * w",
        },
        [(2, 3, 4, 5), (5,)],
        lambda x, w: (x * w).mean((0, 1, 2)).exp() * w,
    ),
    (
        {"func": "f(Tensor x) -> Tensor", "tensors": {**B_N, "return": "x.dtype [*b]"}, "reduce": "logsumexp(x, n)"},
        [(3, 4)],
        lambda x: x.logsumexp(-1),
    ),
    (
        {"func": "f(Tensor x) -> Tensor", "pointwise": "where(x > 0.2, log(abs(x)), x ** 3) if 1 < 2 else x"},
        [(3, 4)],
        lambda x: torch.where(x > 0.2, x.abs().log(), x**3),
    ),
]  # fmt: skip


def sizes_of(entry, shapes):
    """Return the sizes of the contract of an entry of the table, by name."""
    text = entry.get("tensors", {}).get("x", "")
    first = shapes[0]
    if "[r," in text:
        return {"r": first[0], "b": first[1:-1], "n": first[-1]}
    if "n, m]" in text:
        return {"b": first[:-2], "n": first[-2], "m": first[-1]}
    size = {"2*n": first[-1] // 2, "n + 2": first[-1] - 2}
    return {"b": first[:-1], "a": first[:-1], "n": next((n for word, n in size.items() if word in text), first[-1])}


@pytest.mark.parametrize(("entry", "shapes", "expected"), WHOLE, ids=[str(place) for place in range(len(WHOLE))])
def test_a_reference_is_what_pytorch_computes_and_so_are_its_gradients(entry, shapes, expected, module_of):
    module = module_of(entry)
    arguments = [numbers(*shape).requires_grad_() for shape in shapes]
    names = [name for name in ("x", "scale", "w", "b", "y") if f"Tensor {name}" in entry["func"].partition("->")[0]]
    result, wanted = (
        each if isinstance(each, tuple) else (each,) for each in (module.f(*arguments), expected(*arguments))
    )
    torch.testing.assert_close(result, wanted)
    grads = [numbers(*each.shape) for each in result]
    given = {"grad": grads[0], "grad_top": grads[0], "grad_spread": grads[-1], **sizes_of(entry, shapes)}
    for name, argument in zip(names, arguments, strict=True):
        given |= {name: argument, f"{name}_shape": argument.shape, f"{name}_dtype": argument.dtype}
    code = module.f_backward.__code__
    found = module.f_backward(*(given[name] for name in code.co_varnames[: code.co_argcount]))
    found = found if isinstance(found, tuple) else (found,)
    torch.testing.assert_close(found, torch.autograd.grad(wanted, arguments, grads))


INSIDE = {"acosh": (1.1, 3.0), "atanh": (-0.9, 0.9), "asin": (-0.9, 0.9), "acos": (-0.9, 0.9)}
POSITIVE = {"log", "log2", "log10", "sqrt", "rsqrt", "log1p", "pow", "reciprocal"}
OF_TORCH = {
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    **{name: getattr(F, name) for name in ("silu", "gelu", "softplus", "relu")},
}


def test_each_function_is_that_of_pytorch_and_has_its_gradient(module_of):
    """One op a function, so that a single module holds them all."""
    letters = "xyz"
    module = module_of(
        *(
            {
                "func": f"f_{name}({', '.join(f'Tensor {letter}' for letter in letters[: function.arity])}) -> Tensor",
                "tensors": {
                    **{letter: "float [n]" if letter == "x" else "x.dtype [n]" for letter in letters[: function.arity]},
                    "return": "bool [n]" if name.startswith("is") else "x.dtype [n]",
                },
                "pointwise": f"{name}({', '.join(letters[: function.arity])})",
                **({"autograd": "none"} if name.startswith("is") else {}),
            }
            for name, function in FUNCTIONS.items()
        )
    )
    for name, function in FUNCTIONS.items():
        low, high = INSIDE.get(name, (0.1 if name in POSITIVE else -3.0, 3.0))
        spread = torch.linspace(low, high, 30, dtype=torch.float64)
        arguments = [spread.roll(7 * place).clone().requires_grad_() for place in range(function.arity)]
        wanted = OF_TORCH.get(name, getattr(torch, name, None))(*arguments)
        result = getattr(module, f"f_{name}")(*arguments)
        torch.testing.assert_close(result, wanted, msg=lambda message, name=name: f"{name}: {message}")
        if name.startswith("is"):
            continue
        grad = torch.linspace(1, 2, 30, dtype=torch.float64)
        expected = torch.autograd.grad(wanted, arguments, grad, allow_unused=True, materialize_grads=True)
        backward = getattr(module, f"f_{name}_backward")
        given = {"grad": grad, "n": 30}
        for letter, argument in zip(letters, arguments, strict=False):
            given |= {letter: argument, f"{letter}_shape": argument.shape, f"{letter}_dtype": argument.dtype}
        found = backward(*(given[each] for each in backward.__code__.co_varnames[: backward.__code__.co_argcount]))
        for gradient, other in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
            torch.testing.assert_close(gradient, other, msg=lambda message, name=name: f"{name}: {message}")


EDGES = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 40.0, torch.inf, -torch.inf, torch.nan], dtype=torch.float64)
AT_EDGES = {
    "clamp(x, -1, 0.5)": lambda x, _: x.clamp(-1, 0.5),
    "maximum(x, 0)": lambda x, _: x.clamp(min=0),
    "minimum(1, x)": lambda x, _: x.clamp(max=1),
    "maximum(x, y)": torch.maximum,
    "x ** y": torch.pow,
    "x ** 2": lambda x, _: x**2,
    "x ** 0": lambda x, _: x**0,
    "2 ** x": lambda x, _: 2**x,
    "x / y": torch.div,
    "x % y": torch.remainder,
    "fmod(x, y)": torch.fmod,
    "abs(x)": lambda x, _: x.abs(),
    "relu(x)": lambda x, _: x.relu(),
    "sqrt(x)": lambda x, _: x.sqrt(),
    "exp(x)": lambda x, _: x.exp(),
    "tanh(x)": lambda x, _: x.tanh(),
    "sigmoid(x)": lambda x, _: x.sigmoid(),
    "erf(x)": lambda x, _: x.erf(),
    "atan2(x, y)": torch.atan2,
}


def _tensors(text):
    return ("x", "y", "return") if "y" in text else ("x", "return")


def test_gradients_at_edges_are_those_of_pytorch(module_of):
    module = module_of(
        *(
            {
                "func": f"f{number}(Tensor x{', Tensor y' if 'y' in text else ''}) -> Tensor",
                "tensors": {name: "float [n]" if name == "x" else "x.dtype [n]" for name in _tensors(text)},
                "pointwise": text,
            }
            for number, text in enumerate(AT_EDGES)
        )
    )
    x, y = (each.flatten().requires_grad_() for each in torch.meshgrid(EDGES, EDGES, indexing="ij"))
    grad = torch.linspace(1, 2, len(x), dtype=torch.float64)
    for number, (text, expected) in enumerate(AT_EDGES.items()):
        arguments = [x, y] if "y" in text else [x]
        wanted = torch.autograd.grad(expected(x, y), arguments, grad)
        backward = getattr(module, f"f{number}_backward")
        given = {"grad": grad, "x": x, "y": y, "n": len(x)}
        given |= {"x_shape": x.shape, "y_shape": y.shape, "x_dtype": x.dtype, "y_dtype": y.dtype}
        found = backward(*(given[each] for each in backward.__code__.co_varnames[: backward.__code__.co_argcount]))
        for gradient, other in zip(found if isinstance(found, tuple) else (found,), wanted, strict=True):
            differs = ~torch.isclose(gradient, other, equal_nan=True)
            assert not differs.any(), (text, x[differs], y[differs], gradient[differs], other[differs])


@pytest.mark.parametrize("choice", ["where(x > 0, {}, 0)", "0 if x <= 0 else {}"])
def test_what_a_choice_excludes_has_no_gradient_however_deep_it_stands(choice, module_of):
    levels = 14
    text = choice.format(f"{'sin(' * levels}log(x){')' * levels}")
    module = module_of({"func": "f(Tensor x) -> Tensor", "tensors": B_N, "pointwise": text})
    x = torch.tensor([0.0, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
    inside = x[2:].log()
    for _ in range(levels):
        inside = inside.sin()
    (wanted,) = torch.autograd.grad(inside, x)
    backward = module.f_backward
    given = {"grad": torch.ones(3, dtype=torch.float64), "x": x, "x_shape": x.shape, "x_dtype": x.dtype}
    found = backward(*(given[each] for each in backward.__code__.co_varnames[: backward.__code__.co_argcount]))
    torch.testing.assert_close(found, wanted)


def test_the_gradient_of_a_long_program_is_not_nested(module_of):
    entries, value = {}, "x"
    for i in range(300):
        entries[f"a{i}"] = f"where({value} > 0, sin({value}) * y, {value} * mean_y)"
        value = f"a{i}"
    op = {
        "func": "f(Tensor x, Tensor y) -> Tensor",
        "tensors": {**B_N, "y": "x.dtype [n]"},
        "reduce": {"mean_y": "mean(y, n)"},
        "pointwise": {**entries, "return": value},
    }
    module = module_of(op)
    x, y = (numbers(5, dtype=torch.float64).requires_grad_() for _ in range(2))
    y = (y.detach().abs() + 1).requires_grad_()
    result = x
    for _ in range(300):
        result = torch.where(result > 0, result.sin() * y, result * y.mean())
    wanted = torch.autograd.grad(result.sum(), (x, y))

    given = {"grad": torch.ones(5, dtype=torch.float64), "x": x.detach(), "y": y.detach(), "b": (), "n": 5}
    backward = module.f_backward
    found = backward(*(given[each] for each in backward.__code__.co_varnames[: backward.__code__.co_argcount]))

    torch.testing.assert_close(found, wanted)


def test_halves_are_computed_in_float32_and_rounded_once(module_of):
    module = module_of({"func": "f(Tensor x, Tensor y) -> Tensor", "pointwise": "exp(x) * y - x / 3"})
    x, y = (numbers(64, dtype=torch.bfloat16) for _ in range(2))
    wide = x.float().exp() * y.float() - x.float() / 3
    assert torch.equal(module.f(x, y), wide.bfloat16())


def test_the_largest_of_no_elements_is_refused_as_by_pytorch(module_of):
    module = module_of(
        {"func": "f(Tensor x) -> Tensor", "tensors": {**B_N, "return": "x.dtype [*b]"}, "reduce": "max(x, n)"}
    )
    with pytest.raises(IndexError, match="non-zero size"):
        module.f(torch.ones(2, 0))


@pytest.mark.parametrize(
    ("pointwise", "expected"),
    [
        ("int64(i * int32(k))", 300 * 100),  # PyTorch would leave the dtype of a tensor without dims out
        ("int64(where(flag, k, 0) + i)", 300 + 100 - 512),  # PyTorch would count the int64 of what was chosen
        ("int64((where(flag, k, 0) if also else 3) + i)", 300 + 100 - 512),  # a number in other calls
        ("int64((i if also else j) * 100)", 100 * 100),  # of either dtype by the call
        ("int64((5 if also else j) * 100)", 500),
        ("int64(fmod(k, i))", (300 - 256) % 100),
        ("int64(maximum(int16(k), i) * 200)", (300 * 200 + 2**15) % 2**16 - 2**15),
        ("int64(k) if i < int32(k) else 0", 300),
        ("(i * 0.3) * z", 100 * 0.3),  # all in float64
        ("(i if flag else 0.3) * 0.3 * z", 100 * 0.3),
    ],
)
def test_values_have_the_dtypes_of_the_program(pointwise, expected, module_of):
    op = {
        "func": "f(Tensor i, Tensor j, Tensor z, Tensor flag, bool also, int k) -> Tensor",
        "autograd": "none",
        "tensors": {"i": "int8 [n]", "j": "int64 [n]", "z": "float64 [n]", "flag": "bool [n]", "return": "float64 [n]"},
        "pointwise": pointwise,
    }
    i, flag = torch.tensor([100], dtype=torch.int8), torch.tensor([True])
    z = torch.ones(1, dtype=torch.float64)
    assert module_of(op).f(i, i.long(), z, flag, also=True, k=300).item() == expected


@pytest.mark.parametrize("shape", [(), (1,), (2, 1)])
def test_a_tensor_counts_whether_it_has_dims_or_not(shape, module_of):
    op = {
        "func": "f(Tensor x, Tensor y) -> Tensor",
        "autograd": "none",
        "tensors": {"x": "int64 [*a]", "y": "int8 [*b]", "return": "int64 [*broadcast(a, b)]"},
        "pointwise": "x * y",
    }
    x, y = torch.full(shape, 300), torch.full((2, 2), 100, dtype=torch.int8)
    assert module_of(op).f(x, y).unique().tolist() == [300 * 100]


@pytest.mark.parametrize("dtype", [torch.int8, torch.int64, torch.float16, torch.float64])
@pytest.mark.parametrize("alpha", [None, 0.5])
def test_a_result_of_a_promoted_dtype_counts_numbers(dtype, alpha, module_of):
    op = {
        "func": "f(Tensor x, Tensor? y, float? alpha) -> Tensor",
        "autograd": "none",
        "tensors": {"x": "float|integral [n]", "y": "int32 [n]", "return": "promote(x, y, alpha) [n]"},
        "pointwise": "int8(x * alpha) if given(alpha) else int8(x)",
    }
    x, f = torch.ones(2, dtype=dtype), module_of(op).f
    assert f(x, None, alpha).dtype == (dtype if alpha is None else torch.result_type(x, alpha))
    assert f(x, x.int(), alpha).dtype == torch.result_type(x + x.int(), False if alpha is None else alpha)


@pytest.mark.parametrize("batch", [(), (3,), (3, 2)])
def test_a_product_runs_along_any_dims(batch, module_of):
    op = {
        "func": "f(Tensor x) -> Tensor",
        "autograd": "none",
        "tensors": {"x": "int8 [*b, n]", "return": "int64 [n]"},
        "reduce": "prod(x, *b)",
    }
    x = torch.full((*batch, 4), 7, dtype=torch.int8)
    assert module_of(op).f(x).tolist() == [7 ** math.prod(batch)] * 4


def test_numbers_are_divided_and_raised_as_tensors_are(module_of):
    entries = {
        "o0": "x * (a / 0)",
        "o1": "x * (-a / 0.0)",
        "o2": "x + 0.0 ** -1",
        "o3": "x * (-a) ** 0.5",
        "o4": "x + (a * 1e200) ** 2",
        "o5": "float32(3) / n",
        "o6": "x * (a / n)",
        "o7": "x * 3.0 ** -2",
    }
    op = {
        "func": f"f(Tensor x, float a) -> ({', '.join(f'Tensor {name}' for name in entries)})",
        "autograd": "none",
        "tensors": dict.fromkeys(("x", *entries), "float32 [n]"),
        "pointwise": entries,
    }
    found = [result[0].item() for result in module_of(op).f(torch.ones(7), 0.25)]
    infinite = float("inf")
    assert found[:3] == [infinite, -infinite, infinite]
    assert found[3] != found[3]
    assert found[4] == infinite
    assert found[5:] == [(torch.tensor(3.0) / 7).item(), torch.tensor(0.25 / 7).item(), torch.tensor(1 / 9).item()]


def test_what_is_cast_in_a_program_of_float64_is_computed_in_it(module_of):
    op = {
        "func": "f(Tensor x, Tensor y, Tensor i) -> (Tensor o0, Tensor o1, Tensor o2, Tensor o3)",
        "autograd": "none",
        "tensors": {
            "x": "float [n]",
            "y": "x.dtype|float64 [n]",
            "i": "int64 [n]",
            **{f"o{at}": "float64 [n]" for at in range(4)},
        },
        "pointwise": {"o0": "exp(float16(x))", "o1": "sin(i)", "o2": "i / 3", "o3": "x * y"},
    }
    x, i = numbers(5, dtype=torch.float64), torch.arange(5)
    found = module_of(op).f(x, x, i)
    assert torch.equal(found[0], x.half().double().exp())
    assert torch.equal(found[1], i.double().sin())
    assert torch.equal(found[2], i.double() / 3)


def test_a_result_of_rows_may_be_the_same_for_all_of_them(module_of):
    op = {
        "func": "f(Tensor x, Tensor b, float a, bool flag) -> (Tensor o0, Tensor o1, Tensor o2, Tensor o3)",
        "autograd": "none",
        "tensors": {
            "x": "float32 [l, m, n]",
            "b": "bool [l, m, n]",
            "o0": "float32 [l, n]",
            "o1": "float32 [l, n]",
            "o2": "int64 [l, n]",
            "o3": "bool [l, n]",
        },
        "reduce": {"o0": "sum(x, m)", "o2": "sum(flag or b, m)"},
        "pointwise": {"o1": "float32(flag)", "o3": "isinf(float32(a)) and flag"},
    }
    x = torch.randn(2, 3, 4)
    found = module_of(op).f(x, x > 0, 0.5, flag=True)
    assert [each.tolist() for each in found[1:]] == [[[1.0] * 4] * 2, [[3] * 4] * 2, [[False] * 4] * 2]


@pytest.mark.parametrize("kind", ["random", "ties", "equal"])
def test_a_gradient_through_a_maximum_is_as_exact_as_pytorch_where_elements_are_equal(kind, module_of):
    x = {"random": torch.randn(64, 1000), "ties": torch.randint(3, (64, 1000)).float(), "equal": torch.ones(8, 100)}[
        kind
    ]
    grad, wide = torch.randn_like(x), x.double().requires_grad_()
    (exact,) = torch.autograd.grad(wide.softmax(-1), wide, grad.double())
    found = module_of(WHOLE[0][0]).f_backward(grad, x)
    assert (found - exact).abs().amax() < 3e-6 * exact.abs().amax()
