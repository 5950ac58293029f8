"""Gradients of a library with kernels in Python: its own tests, and what graphs, transforms and writes make of them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.torch]

MODULES = [f"grads_ops/{name}.py" for name in ("_autograd", "_recording", "_private")]
CASE = Path(__file__).parents[1] / "cases" / "gradients"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The folder of the library, built."""
    folder = tmp_path_factory.mktemp("gradients") / "library"
    shutil.copytree(CASE, folder)
    done = subprocess.run(
        [sys.executable, "-m", "opgen", "build"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def ops(library):
    """The package; the module of its author's is found, too."""
    paths = [str(library / "generated"), str(library)]
    sys.path[:0] = paths
    other = sys.modules.pop("references", None)  # another library's, of a test that ran in this process before
    try:
        import grads_ops  # noqa: PLC0415 - it has just been made

        yield grads_ops
    finally:
        for path in paths:
            sys.path.remove(path)
        sys.modules.pop("references", None)
        if other is not None:
            sys.modules["references"] = other


@pytest.fixture
def watched(ops, monkeypatch):  # noqa: ARG001 - it makes the module importable
    """The arguments of every call of the library's own function for gradients."""
    import references  # noqa: PLC0415 - it stands beside the package

    calls, spread = [], references.spread
    monkeypatch.setattr(references, "spread", lambda *given: calls.append(given) or spread(*given))
    return calls


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def test_its_generated_tests_hold_every_gradient_to_its_promises(library):
    wanted = "(gradcheck or gradient) and not gradient_compile and not gradient_opcheck"
    command = [sys.executable, "-m", "opgen", "test", "-q", "-k", wanted]
    done = subprocess.run(command, cwd=library, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_tests_hold_compiled_gradients_to_those_of_eager_mode(library):
    wanted = "gradient_compile and (test_scale_ or test_extremes)"
    command = [sys.executable, "-m", "opgen", "test", "-q", "-k", wanted]
    done = subprocess.run(command, cwd=library, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "format", "--diff", *MODULES),
        ("ruff", "check", "--isolated", "--select", "E4,E7,E9,F,I,UP", "--line-length", "120", *MODULES),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_its_python_is_as_formatters_want_it(library, command):
    tool = shutil.which(command[0], path=str(Path(sys.executable).parent))
    if tool is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([tool, *command[1:]], cwd=library / "generated", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_strict_type_checker_finds_nothing(library, type_check):
    errors = type_check("-p", "grads_ops", folder=library / "generated")
    assert [error for error in errors if error.startswith(tuple(MODULES))] == []  # kernels are their author's


def test_a_formula_that_is_not_needed_is_not_evaluated(ops, watched):
    x = leaf(3, 4)
    ops.extremes(x.detach())[0]
    with torch.no_grad():
        ops.extremes(x)
    low, high, place = ops.extremes(x)
    assert not place.requires_grad
    assert not watched
    (low.sum() + high.sum()).backward()
    assert len(watched) == 1


def test_the_gradient_of_a_result_that_nothing_used_is_zero(ops, watched):
    low, _, _ = ops.extremes(leaf(3, 4))
    low.sum().backward()
    ((_, grad_high, _, _),) = watched
    assert torch.equal(grad_high, torch.zeros(3, dtype=torch.float64))


def test_only_what_the_needed_formulas_read_is_kept(ops):
    kept = []

    def pack(tensor):
        kept.append(tuple(tensor.shape))
        return tensor

    def shapes(x, factor):
        kept.clear()
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            ops.scale(x, factor)
        return kept.copy()

    x, factor = leaf(3, 4), leaf(4)
    assert shapes(x, factor.detach()) == [(4,)]
    assert shapes(x.detach(), factor) == [(3, 4)]
    assert sorted(shapes(x, factor)) == [(3, 4), (4,)]
    assert shapes(x.detach(), factor.detach()) == []


def test_an_overwritten_tensor_that_was_kept_is_found_out(ops):
    x, factor = leaf(3, 4), leaf(4)
    given = factor * 1
    result = ops.scale(x, given)
    given.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


def test_the_in_place_form_is_a_step_of_the_graph_on_views_too(ops):
    x, factor = leaf(3, 4), leaf(4)
    whole = x * 1
    row = whole[1]
    assert ops.scale_(row, factor, by=2.0) is row
    assert (row._version, whole._version) == (1, 1)
    assert type(whole.grad_fn).__name__ == "CopySlices"
    grad_x, grad_factor = torch.autograd.grad(whole.sum(), (x, factor))
    ones = torch.ones(4, dtype=torch.float64)
    assert torch.allclose(grad_x, torch.stack([ones, 2 * factor.detach(), ones]))
    assert torch.allclose(grad_factor, 2 * x[1])


def test_the_in_place_form_refuses_leaves_and_counts_writes_without_a_graph(ops):
    x, factor = leaf(3, 4), leaf(4)
    before = x.detach().clone()
    for written in (x, x.view(-1)[:4]):
        with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
            ops.scale_(written, factor)
    assert torch.equal(x, before)
    plain = before.clone()
    ops.scale_(plain, factor.detach())
    assert plain._version == 1
    with torch.no_grad():
        ops.scale_(x, factor)
    assert x._version == 1


def test_the_in_place_form_may_read_a_part_of_what_it_writes_as_long_as_no_formula_does(ops):
    x = torch.arange(1.0, 13.0, dtype=torch.float64).reshape(3, 4)
    whole, grad = x.clone().requires_grad_() * 1, x.new_ones(3, 4)
    result = ops.scale_(whole, whole[0])
    assert torch.equal(result, x * x[0])
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.backward(grad)


def test_the_out_form_refuses_gradients(ops):
    x, factor = leaf(3, 4), leaf(4)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        ops.scale(x, factor, out=torch.empty(3, 4, dtype=torch.float64))


def test_levels_of_transforms_record_for_themselves(ops):
    x = torch.randn(5, dtype=torch.float64)

    def f(x):
        return ops.sigmoid(x).pow(2).sum()

    def g(x):
        return torch.sigmoid(x).pow(2).sum()

    assert torch.allclose(torch.func.hessian(g)(x), torch.func.jacrev(torch.func.jacrev(f))(x))
    outer = x.clone().requires_grad_()
    for function in (f, g):
        torch.func.grad(function)(outer).sum().backward()
    assert torch.allclose(*(torch.autograd.grad(torch.func.grad(each)(outer).sum(), outer)[0] for each in (f, g)))


def test_a_backward_op_that_can_not_be_differentiated_says_so_when_it_is(ops):
    x, y = leaf(3), leaf(3)
    grad_x, _ = torch.autograd.grad(ops.cube(x, y).sum(), (x, y), create_graph=True)
    assert torch.allclose(grad_x, 3 * x * x * y)
    with pytest.raises(RuntimeError, match=r"argument '(grad|x|y)' of grads::cube_backward is not implemented"):
        grad_x.sum().backward()


def test_forward_mode_is_refused_where_it_would_lose_tangents(ops):
    x = torch.randn(3, dtype=torch.float64)
    for function in (ops.sigmoid, lambda x: ops.sigmoid_(x * 1)):
        with pytest.raises(NotImplementedError, match="forward AD"):
            torch.func.jvp(function, (x,), (x,))


def test_numbers_may_require_grad_and_get_none(ops):
    x, noise = leaf(3), leaf(3)
    ops.ranks(x, noise, operator=2.0).sum().backward()  # a word that generated functions use, too
    assert x.grad is not None
    assert noise.grad is None
    assert not ops.ranks(x.detach(), noise).requires_grad
    assert not ops.ranks_(x.detach().clone(), noise).requires_grad
    written = x * 1
    ops.ranks_(written, noise).sum().backward()
    assert torch.equal(x.grad, torch.full((3,), 2.0, dtype=torch.float64))


def test_an_op_without_gradients_on_purpose_refuses_a_graph_at_any_level(ops):
    x = leaf(3)
    assert torch.equal(ops.opaque(x.detach()), 2 * x)
    with torch.no_grad():
        ops.opaque(x)
    with pytest.raises(NotImplementedError, match="derivative for grads::opaque is not implemented"):
        ops.opaque(x)
    with pytest.raises(NotImplementedError, match="derivative for grads::opaque is not implemented"):
        torch.func.grad(lambda x: ops.opaque(x).sum())(x.detach())


def test_exported_programs_hold_the_op_itself(ops):
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.factor = torch.nn.Parameter(torch.ones(4))

        def forward(self, x):
            return ops.scale(x, self.factor)

    program = torch.export.export(Model(), (torch.randn(3, 4),))
    assert "grads.scale.default" in str(program.graph)


def test_a_compiled_backward_is_that_of_eager_mode(ops):
    x, factor = leaf(3, 4), leaf(4)
    for by in (2.0, 3.0):  # what is kept of a call is no constant of the graph
        total = ops.scale_(x * 1, factor, by=by).sum()
        with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
            total.backward()
        assert torch.allclose(x.grad, (factor * by).expand(3, 4))
        x.grad = None


def test_lists_of_results_have_a_gradient_each(ops):
    x = leaf(3)
    sines, total, signs = ops.waves(x, [1.0, 2.0])
    assert [each.requires_grad for each in (*sines, total, *signs)] == [True, True, True, False, False]
    (grad,) = torch.autograd.grad(sines[1].sum(), x)
    assert torch.allclose(grad, 2 * torch.cos(2 * x))

    factors = [leaf(3), leaf(3)]
    products = ops.scaled(x, factors)
    assert isinstance(products, list)
    grads = torch.autograd.grad(products[0].sum(), [x, *factors])
    assert torch.equal(grads[0], factors[0])
    assert torch.equal(grads[1], x)
    assert not grads[2].any()  # what nothing used has a gradient of zeros
    assert ops.scaled(x, []) == []


def test_a_formula_for_several_arguments_serves_those_that_are_given(ops):
    x, bias = leaf(3, 4), leaf(4)
    ops.affine(x, None, bias).sum().backward()  # autograd refuses a gradient for what is absent
    assert torch.equal(bias.grad, torch.full((4,), 3.0, dtype=torch.float64))
