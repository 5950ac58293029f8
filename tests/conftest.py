"""What holds for all tests."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

# Tests run the opgen that stands here, not what it found yesterday; those of the cache name a folder of their own.
os.environ["OPGEN_NO_CACHE"] = "1"


@pytest.fixture(scope="module")
def unoptimised():
    """Libraries are compiled without an optimiser: it takes longer than all calls of a few elements."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CXXFLAGS", "-O0")
        yield


@pytest.fixture(scope="session")
def type_check(tmp_path_factory):
    """Return a function that has mypy check what stands in a folder, strictly, and returns the errors.

    Most of the time goes into what it finds out about PyTorch: that is kept for all tests, however many processes run them.
    """
    tool = shutil.which("mypy", path=str(Path(sys.executable).parent)) or shutil.which("mypy")
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "mypy"
    cache.mkdir(exist_ok=True)

    def call(*what, folder, **environment):
        if tool is None:
            pytest.skip("mypy is not installed")
        pytest.importorskip("torch")
        with FileLock(cache / "lock"):
            done = subprocess.run(
                [tool, "--strict", "--config-file=", "--cache-dir", cache, *what],
                cwd=folder,
                env={**os.environ, **environment},
                capture_output=True,
                text=True,
                check=False,
            )
        assert done.returncode in {0, 1}, done.stderr
        return [line for line in done.stdout.splitlines() if ": error: " in line]

    return call


@pytest.fixture(scope="session")
def emulate():
    """Return the module that makes libraries whose kernels for GPUs run on the CPU."""
    spec = importlib.util.spec_from_file_location("emulate", Path(__file__).parent / "cuda" / "emulate.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["emulate"] = module
    spec.loader.exec_module(module)
    return module
