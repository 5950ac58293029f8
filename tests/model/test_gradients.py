"""What formulas mean: names, what a call keeps for them, and every mistake at its place."""

import ast

import pytest

from opgen.model.build import build_library
from opgen.model.gradients import ArgumentValue, Fact, FunctionCall, Gradient, OpCall, Result, SizeValue
from opgen.spec.load import load_library

HELPER = """\
  - func: helper(Tensor g, float by=1.0, *, bool flag) -> (Tensor, Tensor)
    fake: none
"""
SCALE = (
    'scale(Tensor x, Tensor? y, Tensor[] xs, float by) -> Tensor\n    tensors: {x: "float [*b, 2*n]", y: "float [n]"}'
)
SPLIT = "split(Tensor x, int[] sizes) -> Tensor[] pieces"
TOP = (
    "top(Tensor x) -> (Tensor v, Tensor w, Tensor ids)\n"
    '    tensors: {x: "float [n]", v: "x.dtype [n]", w: "x.dtype [n]", ids: "int64 [n]"}'
)


@pytest.fixture
def resolve(tmp_path, monkeypatch):
    """Return a function from an op and its ``autograd`` to the library and what is found."""
    monkeypatch.chdir(tmp_path)

    def run(func, autograd, *lines):
        text = f"opgen: 1\nnamespace: m\nops:\n{HELPER}  - func: {func}\n    autograd: {autograd}\n"
        path = tmp_path / "ops.yaml"
        path.write_text(text + "".join(f"    {line}\n" for line in lines), encoding="utf-8")
        loaded = load_library(path)
        assert not loaded.diagnostics, loaded.diagnostics
        return build_library(loaded.library)

    return run


def gradients_of(built, name):
    assert not built.diagnostics, built.diagnostics
    return next(op for op in built.library.ops if op.qualified_name == name).gradients


@pytest.mark.parametrize(
    ("formula", "saved"),
    [
        ("grad", ()),
        ("grad * by", (ArgumentValue("by"),)),
        ("grad * x", (ArgumentValue("x"),)),
        ("grad.expand(x.shape)", (Fact("x", "{}.shape"),)),
        ("grad.expand(x.size(-1), x.dim())", (Fact("x", "{}.size(-1)"), Fact("x", "{}.dim()"))),
        ("grad.expand(x.shape) * x", (ArgumentValue("x"),)),
        ("grad if y is None else grad * 2", (Fact("y", "{} is None"),)),
        ("grad if y is None else grad * y", (ArgumentValue("y"),)),
        ("grad / len(xs)", (Fact("xs", "len({})"),)),
        ("grad * sum(x.sum() for x in xs)", (ArgumentValue("xs"),)),
        ("grad * result * (1 - result0)", (Result(0),)),
        ("grad[..., :n]", (SizeValue("n"),)),
        ('"my.grads:f(grad, x)"', (FunctionCall("my.grads", "f"), ArgumentValue("x"))),
    ],
)
def test_what_a_formula_uses_is_kept_and_nothing_else(formula, saved, resolve):
    gradients = gradients_of(
        resolve(
            SCALE,
            f'{{x: {formula}, "y, xs": non_differentiable}}'
            if "," not in formula
            else f"\n      x: {formula}\n      y, xs: non_differentiable",
        ),
        "m::scale",
    )
    kept = tuple(each for each in saved if not isinstance(each, FunctionCall))
    assert set(gradients.saved) == set(kept)
    assert set(saved) <= {*gradients.formulas[0].names.values()}


def test_gradients_are_those_of_returns_that_have_one(resolve):
    gradients = gradients_of(resolve(TOP, '{x: "grad_v + grads[1]"}'), "m::top")
    assert gradients.differentiable == (True, True, False)
    only = gradients_of(resolve(TOP, "{x: grad}", "output_differentiability: [false, true, true]"), "m::top")
    assert only.differentiable == (False, True, False)


def test_what_has_no_formula_raises_and_what_counts_as_numbers_does_not(resolve):
    func = 'f(Tensor x, Tensor y, Tensor z, Tensor mask) -> Tensor\n    tensors: {mask: "bool [n]"}'
    gradients = gradients_of(resolve(func, "{x: grad, z: non_differentiable}"), "m::f")
    assert (gradients.arguments, gradients.not_implemented, gradients.constants) == (("x",), ("y",), ("z",))


def test_a_formula_may_call_an_op_of_the_library(resolve):
    built = resolve("f(Tensor x, Tensor y) -> Tensor", '{"x, y": "helper(grad, flag=True)"}')
    gradients = gradients_of(built, "m::f")
    assert OpCall("m::helper") in gradients.formulas[0].names.values()
    assert not gradients.is_twice_differentiable  # nothing says that the op can be differentiated


@pytest.mark.parametrize(
    ("formula", "lines", "is_twice"),
    [
        ("grad_v * w", [], True),
        ("grad * w", ["output_differentiability: [true, false, false]"], False),
        ("grad * ids", ["output_differentiability: [true, false, false]"], True),
    ],
)
def test_a_result_that_is_marked_as_constant_can_not_be_differentiated_through(formula, lines, is_twice, resolve):
    assert gradients_of(resolve(TOP, f"{{x: {formula}}}", *lines), "m::top").is_twice_differentiable is is_twice


def test_the_formulas_of_an_op_that_fills_its_arguments_are_those_of_its_functional_form(resolve):
    func = (
        "gate(Tensor! out, Tensor x) -> ()\n    overwrites: [out]\n    autogen: [gate.functional, gate.out, gate_]\n"
        '    tensors: {x: "float [n]", out: "x.dtype [n]"}'
    )
    built = resolve(func, "{x: grad * out}")
    assert gradients_of(built, "m::gate.functional").saved == (Result(0),)
    assert gradients_of(built, "m::gate_").op == "m::gate.functional"
    assert gradients_of(built, "m::gate") is None
    assert gradients_of(built, "m::gate.out") is None


MISTAKES = [
    (SCALE, "{x: grad y}", "OPG545", "grad y", "no Python expression"),
    (SCALE, '{x: "(t := grad) * t"}', "OPG545", "t := grad", "can't hold `:=`"),
    (SCALE, "{x: m.g:f}", "OPG545", "m.g:f", "a formula calls its function"),
    (SCALE, "{x: grad * yy}", "OPG546", "yy", "names 'yy'"),
    (SCALE, "{x: cube_backward(grad * x)}", "OPG546", "cube_backward", "calls 'cube_backward'"),
    (SCALE, "{x: grad.to(self)}", "OPG546", "self", "names 'self'"),
    (SCALE, "{x: grad * result1}", "OPG546", "result1", "the op returns 1 value"),
    (TOP, "{x: grad_v * result}", "OPG546", "result", "the op returns 3"),
    (TOP, "{x: grad * 2}", "OPG519", "grad", "2 have one"),
    (TOP, "{x: grad_v * grad_ids}", "OPG519", "grad_ids", "'ids' has no gradient"),
    (TOP, '{x: "grads[0] + grads[3]"}', "OPG519", "grads[3]", "the op returns 3 values"),
    (SPLIT, "{x: grad * 2}", "OPG519", "grad", "`grads` is a list"),
    (SCALE, '{x: "helper(grad)[0]"}', "OPG525", "helper(grad)", "needs 'flag'"),
    (SCALE, '{x: "helper(grad, flag=True, gamma=1)[0]"}', "OPG525", "helper(grad, flag=True, gamma=1)", "'gamma'"),
    (SCALE, '{x: "helper(grad, 1.0, True)[0]"}', "OPG525", "helper(grad, 1.0, True)", "takes 2 positional"),
    (SCALE, '{x: "helper(grad, flag=True)"}', "OPG525", "helper(grad, flag=True)", "2 gradients for 1 argument"),
    (SCALE, '{"x, y": "(grad,)"}', "OPG525", "(grad,)", "1 gradient for 2 arguments"),
    (SCALE, '{x: grad, "x, y": "(grad, grad)"}', "OPG531", "x", "two formulas"),
]


@pytest.mark.parametrize(("func", "autograd", "code", "place", "words"), MISTAKES, ids=[case[1] for case in MISTAKES])
def test_a_mistake_is_shown_at_its_place(func, autograd, code, place, words, resolve):  # noqa: PLR0913, PLR0917 - one case
    (found,) = resolve(func, autograd).diagnostics
    start, end = found.location.span
    assert (found.code.id, found.location.source.text[start:end]) == (code, place)
    assert words in found.message
    assert found.op == f"m::{func.partition('(')[0]}"


def test_several_mistakes_of_several_formulas_come_at_once(resolve):
    built = resolve(SCALE, "{x: grad * a * c, y: grad c, xs: result7}")
    assert [each.code.id for each in built.diagnostics] == ["OPG545", "OPG546", "OPG546", "OPG546"]


@pytest.mark.parametrize("formula", ["torch.cat(grads)", "grads[7]", "grad_pieces[0] + result[1]"])
def test_the_gradients_of_a_list_are_a_list(formula, resolve):
    (found,) = gradients_of(resolve(SPLIT, f'{{x: "{formula}"}}'), "m::split").formulas
    assert Gradient(0) in found.names.values()


def test_an_argument_hides_what_else_has_its_name(resolve):
    built = resolve("f(Tensor grad, float n) -> Tensor", '{grad: "grads[0] * grad * n"}')
    gradients = gradients_of(built, "m::f")
    assert set(gradients.saved) == {ArgumentValue("grad"), ArgumentValue("n")}


def test_places_are_right_beyond_ascii_and_over_several_lines(resolve):
    (found,) = resolve(SCALE, "\n      x: |\n        len('äö') * (\n          grad * oops)").diagnostics
    start, end = found.location.span
    assert found.location.source.text[start:end] == "oops"


def test_the_tree_of_a_formula_is_an_expression(resolve):
    gradients = gradients_of(resolve(SCALE, '{x: grad * by, "y, xs": not_implemented}'), "m::scale")
    assert isinstance(gradients.formulas[0].tree, ast.BinOp)
    assert gradients.formulas[0].text == "grad * by"
