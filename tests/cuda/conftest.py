"""Libraries whose CUDA kernels are run on the CPU, each built once."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
CASE = PROJECT / "tests" / "cases" / "gpu"


@pytest.fixture(scope="session")
def generated(emulate, tmp_path_factory):
    """Return the case's project, generated."""
    folder = tmp_path_factory.mktemp("gpu")
    (folder / "ops.yaml").write_text((CASE / "ops.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    done = emulate.opgen(folder, "generate")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
