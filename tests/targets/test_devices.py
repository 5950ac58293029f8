"""Kernels of expressions on devices: each pass over a row loads and computes what it needs itself."""

import json

import pytest

from opgen.build.check import check
from opgen.targets.cpp import cpp_files
from opgen.targets.triton.kernel import triton_kernel_file


@pytest.fixture
def library(tmp_path):
    """Return a library of one op, whose last pass needs nothing of what the first one reads."""
    op = {
        "func": "f(Tensor x, Tensor y) -> Tensor",
        "tensors": {"x": "float32 [m, n]", "y": "float32 [m, n]", "return": "float32 [m, n]"},
        "autograd": "none",
        "dispatch": {"CUDA": "cuda"},
        "reduce": {"a": "sum(exp(x), n)", "b": "prod(exp(x), n)"},
        "pointwise": "y * a + b",
    }
    path = tmp_path / "ops.yaml"
    path.write_text(json.dumps({"opgen": 1, "namespace": "mylib", "ops": [op]}), encoding="utf-8")
    checked = check(path)
    assert not checked.diagnostics
    return checked.library


def test_cuda_computes_in_the_last_pass_what_it_stores(library):
    (kernel,) = (file.content for file in cpp_files(library) if file.path.endswith("expressions/cuda/f.cu"))
    assert kernel.count("device::exp(") == kernel.count("x_pack = ") == 1


def test_triton_computes_in_the_last_walk_what_it_stores(library):
    (op,) = library.ops
    kernel = triton_kernel_file(library, op, op.program).content
    assert kernel.count("exp_value = ") == kernel.count("x_pointer +") == 1
