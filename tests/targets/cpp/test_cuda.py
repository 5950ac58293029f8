"""CUDA units and skeletons are compiled by nvcc; nothing is run."""

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from opgen.build.cuda import FLAGS, architecture_flags

_FLAGS = ["-O0" if flag == "-O3" else flag for flag in FLAGS]

pytestmark = [pytest.mark.compile, pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")]


@pytest.mark.torch
@pytest.mark.parametrize("op", ["scale", "accumulate_"])
def test_a_unit_with_an_untouched_skeleton_compiles(op, start):
    torch = importlib.util.find_spec("torch")
    if torch is None:
        pytest.skip("torch is not installed")
    project = start("cuda")
    include = Path(torch.origin).parent / "include"

    done = subprocess.run(
        [
            *("nvcc", *_FLAGS, *architecture_flags("9.0"), "-DTORCH_TARGET_VERSION=0x020a000000000000"),
            *("-I", "generated/csrc", "-I", ".", "-isystem", str(include)),
            *("-c", f"generated/csrc/units/cuda/{op}.cu", "-o", "unit.o"),
        ],
        cwd=project.folder,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "generated/csrc" not in done.stderr, done.stderr
