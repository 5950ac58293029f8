"""A build backend that opgen has no step for packs what `opgen build` made."""

import shutil
import sys
from pathlib import Path

import pytest

from opgen.audit.artifact import read_artifact
from opgen.audit.judge import judge

pytest.importorskip("torch")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "plain"
CALL = "import rows_ops, torch; print(rows_ops.scale_rows(torch.ones(1, 2), torch.tensor([2.0])).tolist())"
OPTIONS = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", "dist")

pytestmark = [pytest.mark.compile, pytest.mark.skipif(sys.platform != "linux", reason="the audit reads ELF files")]


def test_the_wheel_is_for_every_python_and_a_second_one_compiles_nothing(builder, new_environment, tmp_path):
    project = tmp_path / "söme project"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("build", "dist", "generated"))

    builder.pip("wheel", *OPTIONS, ".", cwd=project)
    again = builder.pip("wheel", "--verbose", *OPTIONS, ".", cwd=project)
    (wheel,) = (project / "dist").glob("*.whl")
    fresh = new_environment()
    fresh.install(wheel, cwd=tmp_path)

    assert "nothing to do" in again.stdout + again.stderr
    assert wheel.name.startswith("rows_plain-0.1.0-py3-none-linux_")
    assert list(judge(read_artifact(wheel))) == []
    assert fresh.run("-c", CALL, cwd=tmp_path).stdout == "[[2.0, 2.0]]\n"
