"""The code of gradients: formulas as the formatter leaves them, and functions that keep what they need."""

import ast
import re

import pytest

from opgen.targets.python import python_files
from opgen.targets.python.expression_text import expression_text

OPS = """\
opgen: 1
namespace: m
ops:
  - func: scale(Tensor x, Tensor factor, Tensor? bias=None, *, float from) -> Tensor
    autogen: [scale_, scale.out]
    tensors: {x: "float [*batch, n]", factor: "x.dtype [n]", bias: "x.dtype [n]", return: "x.dtype [*batch, n]"}
    autograd:
      x: grad * factor / n
      factor: (grad * x).sum_to_size(factor.shape)
      bias: grad.sum_to_size(bias.shape)
  - func: sigmoid(Tensor x) -> Tensor
    autogen: [sigmoid_]
    tensors: {x: "float [n]", return: "x.dtype [n]"}
    autograd: {x: grad * result * (1 - result)}
  - func: ctx(Tensor[] needs, Tensor? grad=None) -> Tensor
    fake: none
    autograd: {needs: "[grads[0] * grad for keyset in needs]"}
  - func: plain(Tensor x) -> Tensor
    fake: none
    autograd: none
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory, resolve):
    path = tmp_path_factory.mktemp("gradients") / "ops.yaml"
    path.write_text(OPS, encoding="utf-8")
    return {file.path.rpartition("/")[2]: file.content for file in python_files(resolve(path))}


@pytest.fixture(scope="module")
def code(package):
    return package["_autograd.py"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("x**2 + (-x) ** 2.5", "x**2 + (-x) ** 2.5"),
        ("x.a ** -1 * f(x) ** 2", "x.a ** (-1) * f(x) ** 2"),
        ("x['a', \"b\"]", 'x["a", "b"]'),
        ("x[n + 1:, :n, a:b, n + 1:m]", "x[n + 1 :, :n, a:b, n + 1 : m]"),
        ("sum(w * x for w in ws)", "sum(w * x for w in ws)"),
        ("((x))*(y)", "x * y"),
        ("x*1e20", "x * 1e20"),
        ("f(x,\n  y=(1,))", "f(x, y=(1,))"),
        ("'äö' + 'é'", '"\\xe4\\xf6" + "\\xe9"'),
    ],
)
def test_an_expression_is_written_as_the_formatter_does(written, text):
    assert expression_text(ast.parse(f"({written}\n)", mode="eval").body, {}) == text


def test_names_are_replaced_and_the_tree_is_left_alone():
    tree = ast.parse("a * b + a", mode="eval").body
    assert expression_text(tree, {"a": 'f("x").g', "b": "(c, d)"}) == 'f("x").g * (c, d) + f("x").g'
    assert ast.unparse(tree) == "a * b + a"


def test_a_tensor_is_kept_for_the_gradients_that_need_it(code):
    assert "ctx.save_for_backward(factor if needs[1] else None, x if needs[2] else None)" in code
    assert "ctx.kept = (n, factor_shape, bias_shape)" in code
    assert "bias_shape = None if bias is None else bias.shape" in code


def test_the_in_place_form_copies_what_a_formula_reads_and_no_more(code):
    assert 'return x.copy_(_scale(x.clone(), factor, bias, **{"from": from_}))' in code
    assert "return x.copy_(_sigmoid(x))" in code


def test_names_of_an_author_do_not_meet_those_of_the_generator(code):
    assert "def forward(ctx: Any, keyset: Any, grad: Tensor | None, counts: Any, *tensors: Tensor | None)" in code
    assert "def backward(ctx: Any, grad_: Any) -> Any:" in code
    assert "grad_needs = [grad_ * grad for keyset in needs]" in code


def test_only_ops_that_say_so_have_a_kernel_for_autograd(code, package):
    assert re.findall(r'^    "m::(\S+)":', code, re.MULTILINE) == ["ctx", "scale", "scale_", "sigmoid", "sigmoid_"]
    assert "from . import _autograd as _autograd" in package["__init__.py"]


def test_a_library_without_gradients_has_no_module_for_them(tmp_path, resolve):
    path = tmp_path / "ops.yaml"
    path.write_text(
        f"{OPS.partition('  - func')[0]}  - func: f(Tensor x) -> Tensor\n    fake: none\n", encoding="utf-8"
    )
    names = {file.path.rpartition("/")[2] for file in python_files(resolve(path))}
    assert names.isdisjoint({"_autograd.py", "_recording.py"})


@pytest.mark.torch
@pytest.mark.parametrize(
    "missing",
    [
        *("torch.autograd.function._SingleLevelFunction", "torch._C._any_requires_grad"),
        "torch._C._functorch.set_single_level_autograd_function_allowed",
    ],
)
def test_gradients_outlive_a_name_that_pytorch_drops(missing, package):
    torch = pytest.importorskip("torch")
    private = {"__name__": "private"}
    assert package["_private.py"].count(f'"{missing}"') == 1
    exec(package["_private.py"].replace(missing, f"{missing}_before"), private)  # noqa: S102 - it is what was generated

    x = torch.ones(1, requires_grad=True)
    assert private["any_requires_grad"](None, x)
    assert not private["any_requires_grad"](None, x.detach())

    class Twice(private["RecordedFunction"]):
        @staticmethod
        def forward(ctx, x):  # noqa: ARG004 - PyTorch passes it
            return x * 2

        @staticmethod
        def backward(ctx, grad):  # noqa: ARG004 - as autograd calls it
            return grad * 2

    if "allowed" not in missing:  # without that one PyTorch would have to allow it always
        private["apply"](Twice, x).backward()
        assert x.grad.tolist() == [2.0]


def test_a_docstring_shows_the_formulas(package):
    assert "Gradients:\n        x: grad * result * (1 - result)" in package["ops.py"]
