"""setuptools builds a library: wheels, sdists, editable installs, and nothing twice."""

import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from opgen.audit.artifact import read_artifact
from opgen.audit.judge import judge
from opgen.integrations.setuptools.sdist import without_opgen

pytest.importorskip("torch")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "setuptools"
CALL = """
import rows_ops, torch
print(rows_ops.scale_rows(torch.ones(2, 2), torch.tensor([2.0, 3.0])).tolist())
x = torch.tensor([-5.0, 0.5])
print(rows_ops.clip_(x, -1, 1) is x, x.tolist())
"""
AUDIT = re.compile(r"^\$ opgen audit \S+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
(DOCUMENTED,) = AUDIT.findall((EXAMPLE.parents[1] / "docs/audit.md").read_text(encoding="utf-8"))
SDIST = "from setuptools import build_meta; print(build_meta.build_sdist('dist'))"
RESULT = "[[2.0, 2.0], [3.0, 3.0]]\nTrue [-1.0, 0.5]\n"

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(sys.platform != "linux", reason="names of binaries, and the audit, are Linux's"),
]


def wheel_of(environment, project):
    shutil.rmtree(project / "dist", ignore_errors=True)
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", "dist")
    environment.pip("wheel", *options, ".", cwd=project)
    (built,) = (project / "dist").glob("*.whl")
    return built


def compiled(project):
    """When each object and binary was written."""
    paths = [*(project / "build/opgen/obj").rglob("*.o"), *(project / "generated").rglob("*.so")]
    return {path.name: path.stat().st_mtime_ns for path in paths}


def without_what_compilers_choose(text):
    """Leave out versions of the system's libraries, the machine, and how many functions a compiler leaves in."""
    text = re.sub(r"((?:CXXABI|GLIBC|GLIBCXX) )[\d.]+", r"\1*", text)
    return re.sub(r"\d+ functions", "* functions", re.sub(r"linux_\w+", "linux_*", text))


def copy_of_example(folder):
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("build", "dist", "generated", "*.egg-info"))
    return folder


def edit(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def assert_it_keeps_what_it_claims(wheel, ops):
    artifact = read_artifact(wheel)
    assert wheel.name.startswith("rows_setuptools-0.1.0-py3-none-linux_")
    assert str(artifact.claims.torch) == ">=2.10"
    assert list(judge(artifact)) == []
    assert [kernel.op for kernel in artifact.kernels] == ops
    names = [name for name in zipfile.ZipFile(wheel).namelist() if not name.startswith("rows_setuptools-")]
    assert {"rows_ops/librows_ops.so", "rows_ops/ops.pyi", "rows_ops/py.typed"} < set(names)
    assert all(name.startswith("rows_ops/") and not name.endswith(".gitignore") for name in names)


def test_a_library_from_its_first_wheel_to_a_removed_op(builder, new_environment, tmp_path, no_folder_is_left):
    project = copy_of_example(tmp_path / "söme project")
    kernel = project / "kernels/cpu/clip_.cpp"

    # A wheel for every Python, and for every torch that it claims, is installed where no opgen is.
    wheel = wheel_of(builder, project)
    assert_it_keeps_what_it_claims(wheel, ["rows::clip_", "rows::scale_rows"])
    no_folder_is_left(wheel)
    audit = builder.run("-m", "opgen", "audit", wheel.relative_to(project), cwd=project).stdout
    assert without_what_compilers_choose(audit) == without_what_compilers_choose(DOCUMENTED)
    fresh = new_environment()
    fresh.install(wheel, cwd=tmp_path)
    assert fresh.run("-c", CALL, cwd=tmp_path).stdout == RESULT
    assert fresh.run("-c", "import opgen", cwd=tmp_path, check=False).returncode == 1

    # A second build compiles nothing, one after a change what was changed.
    before = compiled(project)
    wheel_of(builder, project)
    assert compiled(project) == before
    edit(kernel, "low), high)", "low), high + 0)")
    builder.install("--editable", ".", cwd=project)
    after = compiled(project)
    assert {name for name in after if after[name] != before[name]} == {"clip_.cpp.o", "librows_ops.so"}

    # An editable install follows the project.
    assert builder.run("-c", CALL, cwd=tmp_path).stdout == RESULT
    edit(kernel, "std::max(static_cast<double>(element), low)", "low - 1")
    builder.run("-m", "opgen", "build", cwd=project, check=False)  # it does not fit its reference any longer
    assert builder.run("-c", CALL, cwd=tmp_path).stdout == RESULT.replace("[-1.0, 0.5]", "[-2.0, -2.0]")

    # A removed op is in no later wheel.
    declaration = project / "ops.yaml"
    declaration.write_text(declaration.read_text(encoding="utf-8").partition("  - func: clip_")[0], encoding="utf-8")
    kernel.unlink()
    assert_it_keeps_what_it_claims(wheel_of(builder, project), ["rows::scale_rows"])
    assert not list((project / "build/opgen/obj").rglob("clip_*"))


def test_an_sdist_is_installed_without_opgen(builder, new_environment, tmp_path):
    project = copy_of_example(tmp_path / "söme project")
    (project / "ops.yaml").rename(tmp_path / "shared.yaml")
    (project / "ops.yaml").symlink_to(tmp_path / "shared.yaml")
    builder.run("-c", SDIST, cwd=project)
    (sdist,) = (project / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    fresh = new_environment()

    fresh.install(sdist, cwd=tmp_path)

    assert "rows_setuptools-0.1.0/generated/csrc/units/cpu/clip_.cpp" in names
    assert fresh.run("-c", CALL, cwd=tmp_path).stdout == RESULT
    assert list((fresh.site / "rows_ops").glob("*.so")) == [fresh.site / "rows_ops/librows_ops.so"]
    assert (project / "pyproject.toml").read_bytes() == (EXAMPLE / "pyproject.toml").read_bytes()


def small(folder, pyproject, **files):
    """Write a project without compiled ops, which is built in a moment."""
    folder.mkdir()
    declaration = "opgen: 1\nnamespace: rows\nops: [{func: one(Tensor x) -> Tensor, dispatch: {CPU: python}}]\n"
    (folder / "ops.yaml").write_text(declaration)
    (folder / "kernels/cpu").mkdir(parents=True)
    (folder / "kernels/cpu/one.py").write_text("def one(x):\n    return x + 1\n")
    (folder / "pyproject.toml").write_text(f'[build-system]\nrequires = ["setuptools"]\n{pyproject}')
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


NAMED = '[project]\nname = "rows"\nversion = "1"\n'


def test_a_project_without_the_table_is_left_alone(builder, tmp_path):
    project = small(tmp_path / "other", NAMED + "[tool.setuptools]\npackages = []\n[tool.opgen.lint]\n")

    built = wheel_of(builder, project)

    assert built.name == "rows-1-py3-none-any.whl"
    assert not (project / "generated").exists()


def test_kernels_in_python_make_a_wheel_for_every_platform(builder, tmp_path):
    project = small(tmp_path / "python", NAMED + 'dependencies = ["torch>=2.10"]\n[tool.opgen.setuptools]\n')

    built = wheel_of(builder, project)

    assert built.name == "rows-1-py3-none-any.whl"
    assert any(name.endswith("/one.py") for name in zipfile.ZipFile(built).namelist())


def test_a_build_extension_of_the_projects_own_is_kept(builder, tmp_path):
    setup = """
from setuptools import Extension, setup
from torch.utils.cpp_extension import BuildExtension
extension = Extension("own", ["own.c"])
setup(ext_modules=[extension], cmdclass={"build_ext": BuildExtension.with_options(use_ninja=False)}, py_modules=[])
"""
    module = """
#include <Python.h>
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "own", 0, -1, 0};
PyMODINIT_FUNC PyInit_own(void) { return PyModule_Create(&definition); }
"""
    table = 'dependencies = ["torch>=2.10"]\n[tool.opgen.setuptools]\n'
    project = small(tmp_path / "own", NAMED + table, setup__py=setup, own__c=module)

    built = wheel_of(builder, project)

    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert built.name.startswith(f"rows-1-{tag}-{tag}-linux_")
    assert {"rows_ops/__init__.py"} < set(zipfile.ZipFile(built).namelist())
    builder.run("setup.py", "build_ext", "--inplace", cwd=project)
    assert list(project.glob("own.*.so"))


def test_a_source_distribution_of_a_project_with_a_setup_of_its_own_is_built_by_opgen(builder, tmp_path):
    table = 'dependencies = ["torch>=2.10"]\n[tool.opgen.setuptools]\n'
    project = small(tmp_path / "own", NAMED + table, setup__py="from setuptools import setup\nsetup()\n")
    builder.run("-c", SDIST, cwd=project)
    (sdist,) = (project / "dist").glob("*.tar.gz")
    shutil.unpack_archive(sdist, tmp_path)

    built = wheel_of(builder, tmp_path / sdist.name.removesuffix(".tar.gz"))

    assert {"rows_ops/__init__.py"} < set(zipfile.ZipFile(built).namelist())


MISTAKES = [
    ('[tool.opgen.setuptools]\nfile = "op.yaml"\n', "names 'op.yaml', which is no file"),
    ("[tool.opgen.setuptools]\nfiles = 1\n", "unknown setting 'files' in tool.opgen.setuptools"),
]


@pytest.mark.parametrize(("table", "said"), MISTAKES)
def test_mistakes_are_said_in_words(builder, tmp_path, table, said):
    project = small(tmp_path / "wrong", NAMED + table)

    done = builder.pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", ".", cwd=project, check=False)

    assert done.returncode == 1
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('requires = ["setuptools>=77", "opgen"]', 'requires = ["setuptools>=77"]'),
        ("requires = [\n  'opgen[build]>=1',  # ours\n  'torch',\n]", 'requires = ["torch"]'),
        ('requires=["opgen"]', "requires=[]"),
        ('requires = ["setuptools", "opgenerator"]', 'requires = ["setuptools", "opgenerator"]'),
    ],
)
def test_opgen_is_taken_out_of_the_requirements_of_a_build(before, after):
    rest = '\nbuild-backend = "setuptools.build_meta"\n[tool.x]\nrequires = ["opgen"]\n'

    assert without_opgen(f"[build-system]\n{before}{rest}") == f"[build-system]\n{after}{rest}"
