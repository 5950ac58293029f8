"""Looking for what CUDA kernels need."""

import pytest

from opgen.build.cuda import Cuda, architecture_flags, find_cuda
from opgen.build.report import Status


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return a function that makes nvcc and a PyTorch with CUDA; it returns PyTorch's folder."""

    def make(*, nvcc, torch):
        for name, wanted in (("bin/nvcc", nvcc), ("torch/lib/libtorch_cuda.so", torch)):
            if wanted:
                (tmp_path / name).parent.mkdir(parents=True)
                (tmp_path / name).touch(mode=0o755)
        monkeypatch.setenv("CUDA_HOME", str(tmp_path))
        return tmp_path / "torch"

    return make


def test_both_are_needed(machine):
    assert find_cuda(machine(nvcc=False, torch=False)) is Status.NO_NVCC
    assert find_cuda(machine(nvcc=True, torch=False)) is Status.NO_CUDA


def test_flags_come_from_the_environment(machine, monkeypatch):
    torch = machine(nvcc=True, torch=True)
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", "8.0;9.0a+PTX")
    monkeypatch.setenv("NVCCFLAGS", "-lineinfo")

    found = find_cuda(torch)

    assert isinstance(found, Cuda)
    assert found.nvcc == str(torch.parent / "bin" / "nvcc")
    assert found.flags == (
        "-gencode=arch=compute_80,code=sm_80",
        "-gencode=arch=compute_90a,code=sm_90a",
        "-gencode=arch=compute_90a,code=compute_90a",
        "-lineinfo",
    )


@pytest.mark.parametrize("stated", ["", "Hopper"])
def test_without_numbers_there_are_no_flags(stated):
    assert not [*architecture_flags(stated)]
