"""scikit-build-core builds a library by CMake: a wheel for every Python, nothing twice, editable installs, sdists without opgen."""

import shutil
import sys
from pathlib import Path

import pytest

from opgen.audit.artifact import read_artifact
from opgen.audit.judge import judge

pytest.importorskip("torch")
pytest.importorskip("scikit_build_core")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "scikit-build-core"
CALL = """
import rows_ops, torch
print(rows_ops.scale_rows(torch.ones(2, 2), torch.tensor([2.0, 3.0])).tolist())
x = torch.tensor([-5.0, 0.5])
print(rows_ops.clip_(x, -1, 1) is x, x.tolist())
"""
RESULT = "[[2.0, 2.0], [3.0, 3.0]]\nTrue [-1.0, 0.5]\n"

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(sys.platform != "linux", reason="the audit reads ELF files"),
    pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no CMake"),
]


def wheel_of(environment, project):
    """Build a wheel; return it, and the units that were compiled for it."""
    shutil.rmtree(project / "dist", ignore_errors=True)
    options = ("--verbose", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", "dist")
    done = environment.pip("wheel", *options, ".", cwd=project)
    (built,) = (project / "dist").glob("*.whl")
    return built, [
        line.rpartition("/")[2] for line in (done.stdout + done.stderr).splitlines() if "Building CXX object" in line
    ]


def test_a_library_from_its_first_wheel_to_a_removed_op(builder, new_environment, tmp_path, no_folder_is_left):
    project = tmp_path / "söme project"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("build", "dist"))
    kernel = project / "kernels/cpu/clip_.cpp"

    wheel, units = wheel_of(builder, project)
    assert len(units) == 3
    assert wheel.name.startswith("rows_scikit_build_core-0.1.0-py3-none-linux_")
    assert list(judge(read_artifact(wheel))) == []
    no_folder_is_left(wheel)
    fresh = new_environment()
    fresh.install(wheel, cwd=tmp_path)
    assert fresh.run("-c", CALL, cwd=tmp_path).stdout == RESULT

    assert wheel_of(builder, project)[1] == []
    text = kernel.read_text(encoding="utf-8")
    kernel.write_text(text.replace("std::max(static_cast<double>(element), low)", "low - 1"), encoding="utf-8")
    builder.install("--editable", ".", cwd=project)
    assert builder.run("-c", CALL, cwd=tmp_path).stdout == RESULT.replace("[-1.0, 0.5]", "[-2.0, -2.0]")

    declaration = project / "ops.yaml"
    declaration.write_text(declaration.read_text(encoding="utf-8").partition("  - func: clip_")[0], encoding="utf-8")
    wheel, units = wheel_of(builder, project)
    assert units == ["library.cpp.o"]
    assert [op.op for op in read_artifact(wheel).kernels] == ["rows::scale_rows"]


def test_an_sdist_is_installed_without_opgen(builder, new_environment, tmp_path, no_folder_is_left):
    project = tmp_path / "söme project"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("build", "dist", "src"))
    builder.run("-c", "from scikit_build_core.build import build_sdist; build_sdist('dist')", cwd=project)
    (sdist,) = (project / "dist").glob("*.tar.gz")
    fresh = new_environment()

    options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", tmp_path)
    fresh.pip("wheel", *options, sdist, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    fresh.install(wheel, cwd=tmp_path)

    assert wheel.name.startswith("rows_scikit_build_core-0.1.0-py3-none-linux_")
    assert list(judge(read_artifact(wheel))) == []
    no_folder_is_left(wheel)
    assert fresh.run("-c", CALL, cwd=tmp_path).stdout == RESULT
    assert fresh.run("-c", "import opgen", cwd=tmp_path, check=False).returncode == 1
