"""Where there is no GPU, the script of GPU figures says so and is done."""

import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")


@pytest.mark.torch
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU: the script would take minutes")
def test_without_a_gpu_nothing_is_built():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.gpu"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("this machine has no GPU that torch ")
    assert done.stdout.endswith("nothing was built or measured\n")
