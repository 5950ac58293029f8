"""Triton kernels are run by Triton's interpreter against their references on the whole sample matrix."""

import os
import shutil
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton", reason="triton is not installed")

pytestmark = [pytest.mark.torch, pytest.mark.compile]
PROJECT = Path(__file__).parents[2]


def of_case(_):
    return True


def in_triton(declaration):
    return declaration.get("dispatch", {}).get("CUDA") == "triton"


@pytest.fixture(scope="module", params=["showcase", "case"])
def library(request, emulate, tmp_path_factory):
    """Return a library whose Triton kernels serve the CPU, built."""
    folder = tmp_path_factory.mktemp(request.param)
    project, chosen = (PROJECT, in_triton) if request.param == "showcase" else (PROJECT / "tests/cases/gpu", of_case)
    emulate.with_kernels(project, folder, "triton", chosen)
    if request.param == "showcase":
        shutil.copytree(PROJECT / "kernels" / "triton", folder / "kernels" / "triton")
    env = {**os.environ, "TRITON_INTERPRET": "1"}
    built = emulate.opgen(folder, "build", "--require", "triton", env=env)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder, env


def test_kernels_keep_their_promises(emulate, library):
    folder, env = library
    tested = emulate.opgen(folder, "test", "--no-build", "-q", "-n", "0", "-k", "test_reference", env=env)
    assert tested.returncode == 0, tested.stdout[-6000:] + tested.stderr[-2000:]


def test_without_triton_the_package_is_imported_and_a_call_says_what_is_missing(emulate, library):
    folder, _ = library
    program = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "triton" else find(name, package)
sys.path.insert(0, "generated")
import torch
package = sys.argv[1]
module = __import__(package)
namespace = getattr(torch.ops, package.removesuffix("_ops"))
for name in sys.argv[2:]:
    try:
        getattr(namespace, name)(torch.ones(3, 4))
    except RuntimeError as error:
        print(error)
"""
    package, name = ("nimble_ops", "dynamic_quant_int8") if (folder / "kernels").exists() else ("acme_ops", "softmax")
    done = emulate.run(folder, "-c", program, package, name)
    assert "in Triton, which is not installed" in done.stdout, done.stdout + done.stderr
