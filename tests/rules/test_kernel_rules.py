"""Kernels that stand elsewhere, and types that only Python kernels take."""

import pytest


@pytest.mark.parametrize("key", ["registered: csrc/f.cpp", "dispatch: {CPU: {kernel: cpp, file: csrc/f.cpp}}"])
def test_a_file_that_is_named_has_to_be_there(key, lint_op, tmp_path):
    assert "there is no file 'csrc/f.cpp'" in lint_op("f(Tensor x) -> Tensor", key)["OPG514"]

    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "f.cpp").touch()

    assert "OPG514" not in lint_op("f(Tensor x) -> Tensor", key)


@pytest.mark.parametrize("key", ["autograd: error", "tags: [pointwise]", "abi: stable", "autogen: [f.out]"])
def test_an_op_that_is_registered_by_hand_is_not_generated_too(key, lint_op):
    found = lint_op("f(Tensor x) -> Tensor", "registered: ops.yaml", key)

    assert f"`registered` and `{key.partition(':')[0]}` exclude each other" in found["OPG515"]


@pytest.mark.parametrize("key", ["autograd: none", "fake: m:f", "doc: What it does."])
def test_what_is_generated_for_it_may_be_said(key, lint_op):
    assert "OPG515" not in lint_op("f(Tensor x) -> Tensor", "registered: ops.yaml", key)


@pytest.mark.parametrize(
    ("type_", "remedy"),
    [
        ("mylib.Plan", "it is a Python object: write the kernel in Python"),
        ("__torch__.torch.classes.mylib.Table", "write the kernel in Python"),
    ],
)
def test_a_class_reaches_python_kernels_only(type_, remedy, lint_op):
    func, head = f"f({type_} x, Tensor y) -> Tensor", "opaque_types: [mylib.Plan]"

    assert remedy in lint_op(func, "dispatch: {CPU: cpp}", head=head)["OPG406"]
    assert "OPG406" not in lint_op(func, "dispatch: {CPU: python}", head=head)
    assert "OPG406" not in lint_op(func, "registered: ops.yaml", head=head)
