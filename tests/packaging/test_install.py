"""opgen finds its templates from a wheel and from an editable install, and needs no torch to generate."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
LIBRARY = """\
opgen: 1
namespace: tiny
ops:
  - func: twice(Tensor x) -> Tensor
    tensors: {x: "float [n]", return: "x.dtype [n]"}
"""
REPORT = """\
import sys
import opgen.targets.templates as templates
from opgen.cli import main
print(templates.templates_folder())
try:
    main(["-C", sys.argv[1], "generate"])
finally:
    print("torch" in sys.modules)
"""


def pip(*arguments: str, **environment: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", *arguments]
    subprocess.run(command, check=True, cwd=PROJECT, env={**os.environ, **environment})


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), ".")
    (built,) = folder.glob("opgen-*.whl")
    return built


def generate(python: str, project: Path, **environment: str) -> list[str]:
    """Generate ``LIBRARY`` with one installation; return the lines that ``REPORT`` prints."""
    project.mkdir()
    (project / "ops.yaml").write_text(LIBRARY, encoding="utf-8")
    run = subprocess.run(
        [python, "-c", REPORT, str(project)],
        capture_output=True,
        text=True,
        check=False,
        cwd=project,
        env={**os.environ, **environment},
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert (project / "generated/tiny_ops/__init__.py").is_file()
    assert (project / "kernels/cpu/twice.cpp").is_file()
    return run.stdout.splitlines()


def test_a_wheel_holds_package_and_templates_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    assert {"opgen/py.typed", "opgen/integrations/cmake/opgenConfig.cmake"} < set(names)
    assert any(name.startswith("opgen/templates/") for name in names)
    assert {name.split("/")[0] for name in names} == {"opgen", f"{wheel.name.split('-py3')[0]}.dist-info"}


def test_an_installed_wheel_generates(wheel, tmp_path):
    site = tmp_path / "site"
    pip("install", "--no-deps", "--target", str(site), str(wheel))

    lines = generate(sys.executable, tmp_path / "project", PYTHONPATH=str(site))

    assert lines[0] == str(site / "opgen/templates")
    assert lines[-1] == "False"


def test_an_editable_install_generates(tmp_path):
    # An environment of its own that sees this one's packages, but not its .pth files: only opgen is installed anew.
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    python = str(environment / "bin/python")
    outer = next(path for path in sys.path if path.endswith("site-packages"))
    options = ("--no-deps", "--no-build-isolation", "--editable", ".")
    pip("--python", python, "install", *options, PYTHONPATH=outer)

    lines = generate(python, tmp_path / "project", PYTHONPATH=outer)

    assert lines[0] == str(PROJECT / "templates")
    assert lines[-1] == "False"
