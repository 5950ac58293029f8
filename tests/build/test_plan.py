"""Command lines of a build."""

import json
from pathlib import Path

import pytest

from opgen.build.cuda import Cuda
from opgen.build.generate import generate
from opgen.build.plan import plan_build
from opgen.build.report import Status
from opgen.build.toolchain import Toolchain, Torch

LIBRARY = """\
opgen: 1
namespace: acme
defaults: {autograd: none}
ops:
  - func: old(Tensor(a!) x) -> ()
    abi: classic
  - func: new(Tensor(a!) x) -> ()
"""


def planned(folder, torch, cxxflags=(), cuda=Status.NO_NVCC):
    (folder / "ops.yaml").write_text(LIBRARY)
    generated = generate(folder / "ops.yaml")
    flags = {"CXXFLAGS": cxxflags, "LDFLAGS": (), "NVCCFLAGS": ()}
    return plan_build(
        generated.library, generated.files, Toolchain(("g++",), "ninja", "python", torch, flags, cuda), folder
    )


def command_lines(folder, torch, cxxflags=()):
    """The words of each command line, by the unit that it compiles."""
    plan = planned(folder, torch, cxxflags)
    return {entry["file"]: entry["arguments"] for entry in json.loads(plan.compile_commands)}


def standards(folder, release, cxxflags=()):
    """The last C++ standard that a command line names, of the kernel for either ABI."""
    lines = command_lines(folder, Torch(Path("torch"), "", release), cxxflags)
    kernels = {"classic": "classic/cpu/old.cpp", "stable": "cpu/new.cpp"}
    return {
        abi: [word for word in lines[f"generated/csrc/units/{path}"] if word.startswith("-std=")][-1]
        for abi, path in kernels.items()
    }


@pytest.mark.parametrize(("release", "classic"), [((2, 12), "c++17"), ((2, 13), "c++20"), ((2, 14), "c++20")])
def test_the_classic_abi_is_compiled_as_the_headers_of_torch_ask(tmp_path, release, classic):
    assert standards(tmp_path, release) == {"classic": f"-std={classic}", "stable": "-std=c++17"}


def test_a_standard_that_the_author_states_wins(tmp_path):
    assert standards(tmp_path, (2, 14), ("-std=c++23",)) == {"classic": "-std=c++23", "stable": "-std=c++23"}


def test_nvcc_compiles_and_links_with_one_compiler_of_the_host(tmp_path):
    plan = planned(tmp_path, Torch(Path("torch"), "", (2, 13)), cuda=Cuda("nvcc", (), ("-ccbin", "g++-12")))
    commands = [line for line in plan.ninja_text.splitlines() if line.startswith("  command = nvcc")]
    assert [line.startswith("  command = nvcc -ccbin g++-12 ") for line in commands] == [True, True]


def test_no_binary_says_where_headers_are_nor_where_a_link_to_them_leads(tmp_path):
    root = tmp_path.resolve()
    (root / "real/include").mkdir(parents=True)
    (root / "link").symlink_to("real")
    words = command_lines(root, Torch(root / "link", "", (2, 13)))["generated/csrc/units/cpu/new.cpp"]
    assert {f"-fmacro-prefix-map={root}/{name}/include/=" for name in ("link", "real")} <= set(words)
