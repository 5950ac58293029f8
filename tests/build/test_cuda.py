"""Looking for what CUDA kernels need."""

import pytest

from opgen.build import codes, cuda
from opgen.build.cuda import Cuda, architecture_flags, find_cuda, for_host, host_compiler
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
        for name in cuda.VARIABLES[1:]:
            monkeypatch.delenv(name, raising=False)
        return tmp_path / "torch"

    return make


def test_nvcc_is_needed(machine):
    assert find_cuda(machine(nvcc=False, torch=True)) is Status.NO_NVCC


@pytest.mark.parametrize(
    ("places", "variables", "found"),
    [
        (["toolkit"], {}, "toolkit"),
        (["path", "toolkit"], {}, "path"),
        (["path", "named"], {"CUDA_PATH": "named"}, "named"),
        (["path", "named", "home"], {"CUDA_PATH": "named", "CUDA_HOME": "home"}, "home"),
        (["path", "toolkit"], {"CUDA_HOME": "home"}, None),
    ],
)
def test_nvcc_is_found_where_pytorch_finds_it(tmp_path, monkeypatch, places, variables, found):
    for place in places:
        (tmp_path / place / "bin").mkdir(parents=True)
        (tmp_path / place / "bin/nvcc").touch(mode=0o755)
    monkeypatch.setattr(cuda, "TOOLKIT", tmp_path / "toolkit")
    monkeypatch.setenv("PATH", str(tmp_path / "path/bin"))
    for name in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.setenv(name, str(tmp_path / variables[name]) if name in variables else "")
    cuda_found = find_cuda(tmp_path)
    assert cuda_found is Status.NO_NVCC if found is None else cuda_found.nvcc == str(tmp_path / found / "bin/nvcc")


@pytest.mark.parametrize(
    ("compiler", "variable", "host"),
    [
        ((), "", ()),
        (("/usr/bin/g++-12",), "", ("-ccbin", "/usr/bin/g++-12")),
        (("/usr/bin/ccache", "clang++", "-m64"), "", ("-ccbin", "clang++")),
        (("/usr/bin/g++-12",), "NVCC_CCBIN=g++-11", ()),
        (("/usr/bin/g++-12",), "NVCCFLAGS=-lineinfo -ccbin=g++-11", ()),
        (("/usr/bin/g++-12",), "NVCC_APPEND_FLAGS=--compiler-bindir g++-11", ()),
    ],
)
def test_nvcc_uses_the_compiler_that_is_stated_once(monkeypatch, compiler, variable, host):
    for name in cuda.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    name, _, value = variable.partition("=")
    if name:
        monkeypatch.setenv(name, value)
    assert host_compiler(compiler) == host


def test_a_stub_stands_in_for_the_cuda_half_of_a_torch_without_one(machine):
    torch = machine(nvcc=True, torch=False)
    header = torch / "include/torch/csrc/inductor/aoti_torch/c/shim.h"
    header.parent.mkdir(parents=True)
    header.write_text(
        "AOTITorchError aoti_torch_get_sizes(int);\nAOTITorchError aoti_torch_create_cuda_guard(\n    int32_t);\n"
    )

    assert find_cuda(torch).stub == ("aoti_torch_create_cuda_guard",)


def test_nothing_stands_in_for_what_is_there(machine):
    assert find_cuda(machine(nvcc=True, torch=True)).stub == ()


@pytest.mark.parametrize(
    ("known", "last"),
    [("sm_70 sm_80 sm_90", "90"), ("sm_80 sm_90 sm_100 sm_120", "100"), ("", "100")],
)
def test_the_newest_architecture_that_nvcc_knows_is_compiled_as_ptx_too(machine, known, last):
    torch = machine(nvcc=True, torch=True)
    nvcc = torch.parent / "bin" / "nvcc"
    nvcc.write_text(f"#!/bin/sh\necho {known}\n")

    flags = find_cuda(torch).flags

    assert flags[0] == "-gencode=arch=compute_80,code=sm_80"
    assert flags[-1] == f"-gencode=arch=compute_{last},code=compute_{last}"


def test_flags_come_from_the_environment(machine, monkeypatch):
    torch = machine(nvcc=True, torch=True)
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", "8.0;9.0a+PTX")

    found = find_cuda(torch)

    assert isinstance(found, Cuda)
    assert found.nvcc == str(torch.parent / "bin" / "nvcc")
    assert found.flags == (
        "-gencode=arch=compute_80,code=sm_80",
        "-gencode=arch=compute_90a,code=sm_90a",
        "-gencode=arch=compute_90a,code=compute_90a",
    )


@pytest.mark.parametrize(
    ("stated", "codes_of"),
    [
        ("", []),
        ("Hopper", ["sm_90", "compute_90"]),
        ("8.0, 9.0a;Ampere+Tegra", ["sm_80", "sm_90a", "sm_87"]),
        ("8.6+PTX Ampere", ["sm_86", "compute_86", "sm_80"]),
    ],
)
def test_a_list_of_architectures_is_read_as_pytorch_reads_it(stated, codes_of):
    assert [flag.rpartition("code=")[2] for flag in architecture_flags(stated)] == codes_of


def test_nvcc_chooses_for_the_gpu_at_hand():
    assert architecture_flags("native") == ("-arch=native",)


def test_an_unknown_architecture_is_named(machine, monkeypatch):
    torch = machine(nvcc=True, torch=True)
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", "8.0;Hoper")

    found = find_cuda(torch)

    assert (found.code, found.message) == (
        codes.BAD_FLAGS,
        "TORCH_CUDA_ARCH_LIST names 'Hoper', which is no architecture",
    )


def test_options_for_the_compiler_of_the_host_are_not_split_at_commas():
    assert for_host("-fsanitize=address,undefined") == "-Xcompiler=-fsanitize=address\\,undefined"
