"""A mutable op with fresh results under the transforms of `torch.func`, which `docs/aten-parity.md` has none of."""

import importlib
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

DECLARATION = """\
opgen: 1
namespace: swapping
defaults: {autograd: none, dispatch: {CPU: python}}
ops:
  - func: swap(Tensor(a!) x, Tensor y, *, int factor=1) -> (Tensor old, Tensor scaled)
    tensors: {x: "float32 [*shape]", y: "x.dtype [*shape]", old: "x.dtype [*shape]", scaled: "x.dtype [*shape]"}
"""
KERNEL = """\
def swap(x, y, factor, old, scaled):
    old.copy_(x)
    scaled.copy_(factor * x)
    x.copy_(y)
"""


@pytest.fixture(scope="module")
def swap(tmp_path_factory):
    folder = tmp_path_factory.mktemp("swapping")
    (folder / "kernels/cpu").mkdir(parents=True)
    (folder / "ops.yaml").write_text(DECLARATION, encoding="utf-8")
    (folder / "kernels/cpu/swap.py").write_text(KERNEL, encoding="utf-8")
    command = [sys.executable, "-m", "opgen", "build"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder / "generated"))
    yield importlib.import_module("swapping_ops").swap
    sys.path.remove(str(folder / "generated"))


def ramp(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape)


def test_vmap_batches_the_results_and_writes_every_slice(swap):
    x = ramp(3, 4)
    old, scaled = torch.vmap(lambda x, y: swap(x, y, factor=3))(x, torch.ones(3, 4))
    assert torch.equal(old, ramp(3, 4))
    assert torch.equal(scaled, 3 * ramp(3, 4))
    assert x.eq(1).all()


def test_vmap_of_no_slices_is_refused_since_nothing_says_what_they_would_return(swap):
    with pytest.raises(RuntimeError, match="no slice to call it for"):
        torch.vmap(swap)(torch.ones(0, 4), torch.ones(0, 4))


def test_vmap_over_another_dimension_in_vmap(swap):
    x = ramp(2, 4, 3)
    old, _ = torch.vmap(torch.vmap(swap, in_dims=(1, None)), in_dims=(0, 0))(x, torch.zeros(2, 4))
    assert torch.equal(old, ramp(2, 4, 3).transpose(1, 2))
    assert x.eq(0).all()


def test_vmap_refuses_to_write_one_tensor_in_several_slices(swap):
    with pytest.raises(RuntimeError, match="argument 'x' is written, and is one tensor for all slices"):
        torch.vmap(swap, in_dims=(None, 0))(ramp(4), ramp(3, 4))


def test_functionalize_hands_on_what_is_written(swap):
    x = ramp(4)

    def run(x, y):
        old, scaled = swap(x, y, factor=2)
        return old + scaled + x

    assert torch.equal(torch.func.functionalize(run)(x, torch.ones(4)), 3 * ramp(4) + 1)
    assert x.eq(1).all()


def test_a_gradient_that_would_be_lost_is_refused(swap):
    with pytest.raises(RuntimeError, match="derivative for swapping::swap is not implemented"):
        torch.func.grad(lambda y: swap(torch.zeros(4) * y, y)[0].sum())(ramp(4))
    captured = ramp(4)
    with pytest.raises(RuntimeError, match="mutate a captured Tensor"):
        torch.func.grad(lambda y: (y * swap(captured, torch.ones(4))[0]).sum())(ramp(4))


def test_other_gradients_are_right(swap):
    grad = torch.vmap(torch.func.grad(lambda z, y: (z * swap(y.clone(), y)[0]).sum()))(ramp(2, 3), ramp(2, 3))
    assert torch.equal(grad, ramp(2, 3))


def test_a_negated_view_is_written(swap):
    x = (ramp(4) * 1j).conj().imag
    assert x.is_neg()
    old, _ = swap(x, ramp(4))
    assert torch.equal(old, -ramp(4))
    assert torch.equal(x, ramp(4))
    assert x._version == 1
