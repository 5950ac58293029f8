"""Libraries of ``tests/cases/cpp``, emitted, compiled by hand as the docstring of the target says, and loaded."""

import importlib.util
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import pytest

from opgen.diagnostics import has_errors
from opgen.model.build import build_library
from opgen.spec.library import Abi
from opgen.spec.load import load_library
from opgen.targets.cpp import cpp_files
from opgen.targets.schema_hash import definition, twin_definition

CASES = Path(__file__).parents[2] / "cases" / "cpp"


def resolve(path):
    """Load and resolve an ``ops.yaml`` that has no mistakes."""
    loaded = load_library(path)
    assert not has_errors(loaded.diagnostics), loaded.diagnostics
    built = build_library(loaded.library)
    assert not has_errors(built.diagnostics), built.diagnostics
    return built.library


class Project:
    """A case in a folder of its own; ``write`` emits, skeletons only where no kernel stands."""

    def __init__(self, folder):
        self.folder = folder
        self.write()

    def write(self):
        self.library = resolve(self.folder / "ops.yaml")
        for file in cpp_files(self.library):
            path = self.folder / file.path
            if not (file.once and path.exists()):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(file.content, encoding="utf-8")

    def units(self):
        return sorted((self.folder / "generated/csrc/units").rglob("*.cpp"))

    def edit(self, path, old, new):
        text = (self.folder / path).read_text(encoding="utf-8")
        assert old in text
        (self.folder / path).write_text(text.replace(old, new), encoding="utf-8")

    def run_compiler(self, *arguments):
        include = Path(importlib.util.find_spec("torch").origin).parent / "include"
        command = [
            *(os.environ.get("CXX", "g++"), "-std=c++17", "-O0", "-fPIC"),
            *("-Wall", "-Wextra", "-Werror"),
            *("-I", "generated/csrc", "-I", ".", "-isystem", str(include)),
            '-DOPGEN_SCHEMA_HASH="0123"',
            *map(str, arguments),
        ]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def torch_libraries(self):
        folder = Path(importlib.util.find_spec("torch").origin).parent / "lib"
        return ("-L", folder, "-ltorch_cpu", "-Wl,-z,defs")

    def compile(self, unit, object_):
        target = () if is_classic(unit) else ("-DTORCH_TARGET_VERSION=0x020a000000000000",)
        return self.run_compiler(*target, "-c", unit, "-o", object_)

    def build(self):
        """Compile every unit and link those for one ABI; yield the path of each library."""
        objects = [unit.with_suffix(".o") for unit in self.units()]
        with ThreadPoolExecutor(2) as pool:
            for done in pool.map(self.compile, self.units(), objects):
                assert done.returncode == 0, done.stderr
        for name, chosen, also in (
            ("library.so", [unit for unit in objects if not is_classic(unit)], ()),
            ("classic.so", [unit for unit in objects if is_classic(unit)], ("-lc10",)),
        ):
            if chosen:
                binary = self.folder / name
                done = self.run_compiler("-shared", *chosen, "-o", binary, *self.torch_libraries(), *also)
                assert done.returncode == 0, done.stderr
                yield binary


def is_classic(unit):
    return "units/classic/" in unit.as_posix()


class Opened:
    """A case that is built and loaded: its project, and its ops as ``torch.ops`` has them."""

    def __init__(self, project):
        import torch  # noqa: PLC0415 - most tests need none

        self.project = project
        self.namespace = project.library.namespace
        # The schemas are defined as the Python half does it, and live as long as this object.
        self.fragment = torch.library.Library(self.namespace, "FRAGMENT")
        for op in project.library.ops:
            self.fragment.define(definition(op))
            if twin := twin_definition(op):
                self.fragment.define(twin)
        for binary in project.build():
            torch.ops.load_library(str(binary))
        self.ops = getattr(torch.ops, self.namespace)


@pytest.fixture(scope="session")
def read_library():
    """Load and resolve an ``ops.yaml``."""
    return resolve


@pytest.fixture(scope="session")
def emit_in():
    """Emit for the ``ops.yaml`` of a folder."""
    return Project


@pytest.fixture(scope="session")
def start(tmp_path_factory):
    """Copy a case to a new folder and emit it, for another ABI if one is named; without kernels for ``kernels=False``."""

    def copy(case, *, kernels=True, abi=None):
        folder = tmp_path_factory.mktemp(case) / "a project"
        ignore = shutil.ignore_patterns("expected", *([] if kernels else ["kernels"]))
        shutil.copytree(CASES / case, folder, ignore=ignore)
        if abi is not None:
            declaration = folder / "ops.yaml"
            old = f"namespace: {(name := f'cpp_{case}')}"
            text = declaration.read_text(encoding="utf-8")
            declaration.write_text(text.replace(old, f"{old}\nabi: {abi}"), encoding="utf-8")
            for path in filter(Path.is_file, folder.rglob("*")):  # one process can't hold a namespace twice
                text = path.read_text(encoding="utf-8")
                path.write_text(text.replace(name, f"{name}_{abi}"), encoding="utf-8")
        return Project(folder)

    return copy


@pytest.fixture(scope="session")
def facts(start):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPGEN_CHECK_VALUES", "1")
        return Opened(start("facts"))


@pytest.fixture(scope="session")
def stable_contracts(start):
    return Opened(start("contracts"))


@pytest.fixture(scope="session")
def classic_contracts(start):
    return Opened(start("contracts", abi="classic"))


@pytest.fixture(scope="session", params=get_args(Abi))
def contracts(request):
    return request.getfixturevalue(f"{request.param}_contracts")


@pytest.fixture(scope="session", params=[None, "classic"])
def types(request, start):
    return Opened(start("types", abi=request.param))


@pytest.fixture(scope="session")
def classic(start):
    return Opened(start("classic"))
