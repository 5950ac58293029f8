"""Environments as users have them, made without a download: packages are linked from the one that runs the tests."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


class Environment:
    """A virtual environment that sees chosen packages; `pip` of the outer one installs into it."""

    def __init__(self, folder, packages, programs):
        venv.create(folder, with_pip=False)
        self.python = str(folder / "bin" / "python")
        command = [self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        self.site = Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
        (self.site / "linked.pth").write_text(f"{packages}\n", encoding="utf-8")
        self.path = f"{folder / 'bin'}{os.pathsep}{programs}{os.pathsep}"

    def run(self, *arguments, cwd, check=True, **environment):
        """Run its Python; paths of the outer process are not inherited."""
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        inherited["CXXFLAGS"] = "-O0"  # it is about what is compiled, not about how well
        inherited["LDFLAGS"] = (
            "-Wl,--gc-sections"  # as conda's compilers are told: audits still find what they look for
        )
        inherited["PATH"] = self.path + inherited["PATH"]
        done = subprocess.run(
            [self.python, *map(str, arguments)],
            cwd=cwd,
            env={**inherited, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done

    def pip(self, *arguments, cwd, check=True, **environment):
        return self.run("-m", "pip", "--disable-pip-version-check", *arguments, cwd=cwd, check=check, **environment)

    def install(self, *what, cwd, check=True):
        return self.pip("install", "--no-deps", "--no-build-isolation", "--no-index", *what, cwd=cwd, check=check)


def link_all(places, folder, *left_out):
    """Link what lies in some folders, but not what begins with one of these words."""
    for place in dict.fromkeys(places):
        for path in Path(place).iterdir():
            if not path.name.lower().startswith(left_out) and path.suffix != ".pth":
                (folder / path.name).symlink_to(path)
    return folder


def assert_no_folder_is_left(wheel):
    """Say that binaries don't name PyTorch's headers by where they stood: pip has them in another folder each time."""
    with zipfile.ZipFile(wheel) as files:
        binaries = [files.read(name) for name in files.namelist() if name.endswith(".so")]
    assert binaries
    assert not any(b"/torch/include/" in binary for binary in binaries)


@pytest.fixture(scope="session")
def no_folder_is_left():
    """Return the function that says so of a wheel."""
    return assert_no_folder_is_left


@pytest.fixture(scope="session")
def new_environment(tmp_path_factory):
    """Return a function that makes an environment with all packages and programs but opgen."""
    places = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    packages = link_all(places, tmp_path_factory.mktemp("packages"), "opgen", "_opgen", "__editable__")
    programs = link_all([Path(sys.executable).parent], tmp_path_factory.mktemp("programs"), "opgen", "python", "pip")
    return lambda: Environment(tmp_path_factory.mktemp("environment") / "venv", packages, programs)


@pytest.fixture(scope="module")
def builder(new_environment):
    """An environment with opgen, installed from this folder; what one module installs there is not seen by others."""
    environment = new_environment()
    environment.install("--editable", PROJECT, cwd=PROJECT)
    return environment
