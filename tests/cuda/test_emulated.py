"""CUDA kernels are compiled for the host and run there, thread by thread, against their references on the whole sample matrix."""

import subprocess
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

pytestmark = [pytest.mark.compile, pytest.mark.torch]
HERE = Path(__file__).parent
PROMISES = {
    "case": "test_reference or test_layouts or test_repetition or test_old_contents or test_bounds",
    "showcase": "test_reference",
}
DIVERGENT = """
#include <cuda_runtime_api.h>
__global__ void kernel() {
  if (threadIdx.x < 16) __syncthreads();
  __shfl_xor_sync(0xffffffffu, 1.0f, 16);
}
int main() { emulation::launch(1, 32, 0, nullptr, [] { kernel(); }); }
"""


@pytest.fixture(scope="module", params=["showcase", "case"])
def library(request, emulate, generated, tmp_path_factory):
    """Return an emulated library: folder and environment, built."""
    project = HERE.parents[1] if request.param == "showcase" else generated
    folder = tmp_path_factory.mktemp(request.param)
    names, env = emulate.emulated(project, folder, lambda _: True)
    assert names
    built = emulate.opgen(folder, "build", env=env)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder, env, PROMISES[request.param]


def test_kernels_keep_their_promises(emulate, library):
    folder, env, promises = library
    tested = emulate.opgen(folder, "test", "--no-build", "-q", "-n", "0", "-k", promises, env=env)
    assert tested.returncode == 0, tested.stdout[-6000:] + tested.stderr[-2000:]


def test_what_ran_were_the_cuda_kernels(library):
    folder, _, _ = library
    compiled = (folder / "build" / "opgen" / ".ninja_deps").read_bytes()
    assert compiled.count(b"shadow/") > 1
    assert b"cuda_runtime_api.h" in compiled


def test_a_barrier_that_some_threads_miss_is_seen(tmp_path):
    source, program = tmp_path / "divergent.cpp", tmp_path / "divergent"
    source.write_text(DIVERGENT)
    subprocess.run(["g++", "-std=c++17", "-I", HERE / "emulation", source, "-o", program], check=True)
    ran = subprocess.run([program], capture_output=True, text=True, check=False)
    assert "a barrier is not reached by all threads" in ran.stderr
    assert ran.returncode != 0
