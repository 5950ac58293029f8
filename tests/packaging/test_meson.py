"""meson-python builds a library, follows it in an editable install, and makes sdists that need no opgen."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.audit.artifact import read_artifact
from opgen.audit.judge import judge

pytest.importorskip("torch")
pytest.importorskip("mesonpy")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "meson-python"
CALL = """
import rows_ops, torch
print(rows_ops.scale_rows(torch.ones(2, 2), torch.tensor([2.0, 3.0])).tolist())
x = torch.tensor([-5.0, 0.5])
print(rows_ops.clip_(x, -1, 1) is x, x.tolist())
"""
RESULT = "[[2.0, 2.0], [3.0, 3.0]]\nTrue [-1.0, 0.5]\n"
SDIST = "import mesonpy; print(mesonpy.build_sdist('dist'))"

pytestmark = [pytest.mark.compile, pytest.mark.skipif(sys.platform != "linux", reason="the audit reads ELF files")]


def copy_of_example(folder):
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("build", "dist", "src"))
    return folder


def edit(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def called(environment, cwd):
    """Return what the call prints, and which units its import compiled."""
    done = environment.run("-c", CALL, cwd=cwd, MESONPY_EDITABLE_VERBOSE="1")
    compiled = [line.rpartition("units_")[2] for line in done.stdout.splitlines() if "Compiling C++ object" in line]
    result = [line for line in done.stdout.splitlines() if line.startswith(("[[", "True"))]
    return "".join(f"{line}\n" for line in result), compiled


def test_an_editable_install_compiles_what_has_changed(builder, tmp_path):
    project = copy_of_example(tmp_path / "söme project")
    builder.install("--editable", ".", cwd=project)
    assert called(builder, tmp_path) == (RESULT, [])
    assert called(builder, tmp_path) == (RESULT, [])

    edit(project / "kernels/cpu/clip_.cpp", "std::max(static_cast<double>(element), low)", "low - 1")
    assert called(builder, tmp_path) == (RESULT.replace("[-1.0, 0.5]", "[-2.0, -2.0]"), ["cpu_clip_.cpp.o"])

    # A removed op disappears: nothing but the unit with the schema hash is compiled for that.
    declaration = project / "ops.yaml"
    declaration.write_text(declaration.read_text(encoding="utf-8").partition("  - func: clip_")[0], encoding="utf-8")
    done = builder.run("-c", "import rows_ops; print(rows_ops.__all__)", cwd=tmp_path, MESONPY_EDITABLE_VERBOSE="1")
    assert done.stdout.endswith("['scale_rows']\n")
    assert done.stdout.count("Compiling C++ object") == 1


def test_an_sdist_with_the_generated_sources_is_installed_without_opgen(
    builder, new_environment, tmp_path, no_folder_is_left
):
    project = copy_of_example(tmp_path / "rows")
    builder.run("-m", "opgen", "emit", "src", "--manifest", "src/meson.build", cwd=project)
    for command in (
        ("init", "-q"),
        ("add", "."),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "All"),
    ):
        subprocess.run(["git", *command], cwd=project, check=True)
    builder.run("-c", SDIST, cwd=project)
    (sdist,) = (project / "dist").glob("*.tar.gz")
    fresh = new_environment()

    options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", tmp_path)
    fresh.pip("wheel", *options, sdist, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    fresh.install(wheel, cwd=tmp_path)

    no_folder_is_left(wheel)
    assert fresh.run("-c", CALL, cwd=tmp_path).stdout == RESULT
    assert fresh.run("-c", "import opgen", cwd=tmp_path, check=False).returncode == 1
    # Of what lies beside Python modules meson-python takes all to be made for one Python.
    assert [finding.code.name for finding in judge(read_artifact(wheel))] == ["python-tag-too-narrow"]
