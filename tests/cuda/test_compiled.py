"""CUDA kernels of expressions compile without a warning for every architecture, and move 16 bytes at a time where they can."""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.build.cuda import FLAGS, architecture_flags

pytestmark = [
    pytest.mark.compile,
    pytest.mark.torch,
    pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc"),
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="no torch"),
]
STRICT = ("-Werror", "all-warnings", "-Xcompiler=-Werror", "-DTORCH_TARGET_VERSION=0x020a000000000000")


def compiled(project, op, target, *flags):
    torch = Path(importlib.util.find_spec("torch").origin).parent
    done = subprocess.run(
        [
            *("nvcc", *FLAGS, *STRICT, *flags, "-I", "generated/csrc", "-I", ".", "-isystem", str(torch / "include")),
            *(f"generated/csrc/units/cuda/{op}.cu", "-o", str(target)),
        ],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return target


def test_reductions_compile_for_every_architecture(generated, tmp_path):
    architectures = "8.0;9.0;10.0+PTX" if "sm_100" in codes() else "8.0;9.0+PTX"
    compiled(generated, "softmax", tmp_path / "softmax.o", "-c", *architecture_flags(architectures))


def test_contiguous_elements_are_moved_by_16_bytes(generated, tmp_path):
    ptx = compiled(generated, "silu_and_mul", tmp_path / "gate.ptx", "-ptx", "-arch=compute_80").read_text()
    assert re.search(r"ld\.global(\.nc)?\.v4\.[bu]32", ptx)
    assert re.search(r"st\.global\.v4\.[bu]32", ptx)


def test_the_machine_code_has_loads_of_128_bits(generated, tmp_path):
    spec = importlib.util.find_spec("triton")  # whose wheel holds the tool that CUDA's compiler packages leave out
    tool = shutil.which("cuobjdump") or (spec and Path(spec.origin).parent / "backends/nvidia/bin/cuobjdump")
    if not tool or not Path(tool).exists():
        pytest.skip("no cuobjdump")
    cubin = compiled(generated, "clamp", tmp_path / "clamp.cubin", "-cubin", "-arch=sm_80")
    sass = subprocess.run([tool, "-sass", cubin], capture_output=True, text=True, check=True).stdout
    assert "LDG.E.128" in sass
    assert "STG.E.128" in sass


def codes():
    return subprocess.run(["nvcc", "--list-gpu-code"], capture_output=True, text=True, check=True).stdout.split()
