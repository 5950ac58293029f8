"""Random expressions: what kernels compute beside the reference in PyTorch, special values included, on three backends.

``OPGEN_RANDOM_EXPRESSIONS`` says how many, ``OPGEN_RANDOM_SEED`` which; a few by default, always the same.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

pytestmark = [pytest.mark.compile, pytest.mark.torch]

HERE = Path(__file__).parent
COUNT = int(os.environ.get("OPGEN_RANDOM_EXPRESSIONS", "36"))
SEED = os.environ.get("OPGEN_RANDOM_SEED", "46")
OUTPUTS = 12  # of an op, so that many expressions cost one compilation
OPS = -(-COUNT // OUTPUTS)
TOLD = [SEED, str(OPS), str(OUTPUTS)]
FLAGS = "-O1 -DRANDOMLY_OPS_ONE_VERSION"
"""For many: what loops are compiled to for each CPU is a matter of other tests."""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return a folder with the declarations."""
    folder = tmp_path_factory.mktemp("random")
    told = subprocess.run(
        [sys.executable, HERE / "random_ops.py", *TOLD], capture_output=True, text=True, check=True
    ).stdout
    (folder / "ops.yaml").write_text(told, encoding="utf-8")
    return folder


@pytest.fixture(params=["cpp", "cuda", "triton"])
def library(request, emulate, project, tmp_path):
    """Return a library of kernels of one kind that serve the CPU, and the environment to call it in."""
    env = {**os.environ, "CXXFLAGS": FLAGS}
    if request.param == "triton":
        pytest.importorskip("triton", reason="triton is not installed")
        env["TRITON_INTERPRET"] = "1"
    if request.param == "cuda":
        assert emulate.opgen(project, "generate").returncode == 0
        _, emulated = emulate.emulated(project, tmp_path, lambda _: True)
        env["CXX"] = emulated["CXX"]
    else:
        emulate.with_kernels(project, tmp_path, request.param, lambda _: True)
    if request.param == "triton":
        done = emulate.opgen(tmp_path, "generate", env=env)  # no binary is needed
    else:
        done = emulate.opgen(tmp_path, "build", env=env)
    # The calls that end a build know nothing of how far rounding may carry these.
    assert set(re.findall(r"OPG\d+", done.stdout)) <= {"OPG480", "OPG840"}, done.stdout + done.stderr
    return tmp_path, request.param, env


def test_kernels_compute_what_the_reference_does(library):
    folder, kind, env = library
    is_small = "0" if kind == "cpp" else "1"  # what runs in Python, or thread by thread
    done = subprocess.run(
        [sys.executable, HERE / "agreement.py", folder, *TOLD, is_small],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["expressions"] >= COUNT
    assert found["meaningless"] < 0.25 * found["values"]
    assert not found["wrong"], "\n".join(found["wrong"])


def test_python_is_laid_out_as_the_formatter_does(emulate, project, tmp_path):
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        pytest.skip("ruff is not installed")
    emulate.with_kernels(project, tmp_path, "triton", lambda _: True)
    assert emulate.opgen(tmp_path, "generate").returncode == 0

    formatted = subprocess.run(
        [ruff, "format", "--diff", "generated"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert formatted.returncode == 0, formatted.stdout
    assert not [path for path in tmp_path.rglob("*.py") if "fmt: skip" in path.read_text(encoding="utf-8")]
