"""Libraries that are generated into a folder of their own and run with kernels in Python."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.diagnostics import has_errors
from opgen.model.build import build_library
from opgen.spec.load import load_library
from opgen.targets.python import python_files
from opgen.targets.schema_hash import schema_hash
from opgen.targets.tests import test_files

HERE = Path(__file__).parent
CASES = HERE.parents[1] / "cases" / "python"


class Project:
    """A folder with ``ops.yaml``, ``kernels.py`` and what is generated; the binary holds the hash of the schemas only."""

    def __init__(self, folder, declarations, kernels=""):
        self.folder = folder
        (folder / "ops.yaml").write_text(declarations, encoding="utf-8")
        (folder / "kernels.py").write_text(kernels, encoding="utf-8")
        self.library = load(folder / "ops.yaml")
        for file in (*python_files(self.library), *test_files(self.library)):
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.content, encoding="utf-8")
        self.package = self.library.package
        self.package_folder = folder / "generated" / self.package.replace(".", "/")

    @property
    def binary(self):
        return self.package_folder / f"lib{self.package.replace('.', '_')}.so"

    def compile(self, digest=None):
        digest = digest or schema_hash(self.library)
        code = f'const char* {self.package.replace(".", "_")}_schema_hash(void) {{ return "{digest}"; }}'
        compiler = os.environ.get("CC", "cc")
        if shutil.which(compiler) is None:
            pytest.skip("no C compiler")
        command = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(self.binary)]
        subprocess.run(command, input=code.encode(), check=True)
        return self

    def run(self, *arguments):
        ops = [
            {
                "name": op.qualified_name,
                "identifier": op.identifier,
                "twin": op.twin,
                "aliases": [output.alias_of for output in op.outputs],
                "keys": [kernel.dispatch_key for kernel in op.kernels],
            }
            for op in self.library.ops
        ]
        plan = {"package": self.package, "ops": ops, "kernels": str(self.folder / "kernels.py")}
        (self.folder / "standin.json").write_text(json.dumps(plan), encoding="utf-8")
        path = os.pathsep.join([str(HERE), str(self.folder / "generated")])
        environment = os.environ | {"OPGEN_STANDIN": str(self.folder / "standin.json"), "PYTHONPATH": path}
        command = [sys.executable, "-W", "error", *map(str, arguments)]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )

    def python(self, code):
        return self.run("-c", f"import standin\n{code}")

    def test(self, *arguments):
        return self.run("-m", "pytest", "-p", "standin", "-p", "no:cacheprovider", "-q", "generated/tests", *arguments)


def load(path):
    loaded = load_library(path)
    assert not has_errors(loaded.diagnostics), [diagnostic.message for diagnostic in loaded.diagnostics]
    built = build_library(loaded.library)
    assert not has_errors(built.diagnostics), [diagnostic.message for diagnostic in built.diagnostics]
    return built.library


@pytest.fixture
def project(tmp_path):
    """Make a project from declarations and kernels."""
    return lambda declarations, kernels="": Project(tmp_path, declarations, kernels)


@pytest.fixture(scope="session")
def case_project():
    """Make a project from a case: ``ops.yaml`` and ``kernels.py``."""

    def make(folder, case):
        texts = [(CASES / case / name).read_text(encoding="utf-8") for name in ("ops.yaml", "kernels.py")]
        return Project(folder, *texts)

    return make


@pytest.fixture(scope="session")
def resolve():
    """Load and resolve an ``ops.yaml`` that has no mistakes."""
    return load
