"""CMake builds a library: nothing twice, installed as it is used, and every mistake in a sentence."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from opgen.build.cuda import find_cuda

torch = pytest.importorskip("torch")

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLES = PROJECT / "examples"
CMAKE = shutil.which("cmake") or shutil.which("cmake", path=sysconfig.get_path("scripts"))
MAKE = shutil.which("make")
NINJA = shutil.which("ninja") or shutil.which("ninja", path=sysconfig.get_path("scripts"))

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(None in {CMAKE, MAKE, NINJA}, reason="needs CMake, make and ninja"),
]


class Project:
    """A copy of an example, and its build folder."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = environment
        self.build_folder = folder / "build"

    def cmake(self, *arguments, check=True, **environment):
        outer = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "CXXFLAGS"}}
        outer["PATH"] = (
            f"{Path(self.environment.python).parent}{os.pathsep}{Path(NINJA).parent}{os.pathsep}{outer['PATH']}"
        )
        done = subprocess.run(
            [CMAKE, *map(str, arguments)],
            cwd=self.folder,
            env={**outer, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done

    def configure(self, generator, *arguments, check=True):
        python = f"-DPython_EXECUTABLE={self.environment.python}"
        # It is about what is compiled, not about how well.
        return self.cmake(
            "-S", ".", "-B", "build", "-G", generator, "-DCMAKE_BUILD_TYPE=Debug", python, *arguments, check=check
        )

    def built(self):
        """Build; return what was compiled and linked, as names without folders."""
        lines = self.cmake("--build", "build").stdout
        done = re.findall(r"(?:Building|Linking) CXX (?:object|shared module) (\S+)", lines)
        return sorted(name.rpartition("/")[2].removesuffix(".o") for name in done)

    def edit(self, path, before, after):
        text = (self.folder / path).read_text(encoding="utf-8")
        assert before in text
        (self.folder / path).write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture
def project_of(builder, tmp_path):
    def copy(example):
        folder = tmp_path / "söme folder"
        shutil.copytree(EXAMPLES / example, folder, ignore=shutil.ignore_patterns("build", "generated"))
        return Project(folder, builder)

    return copy


EXAMPLE_OF = {
    "Ninja": ("cmake-ninja", "libsignals_ops.so", "running_max", "follow_", "float rate)", "float rate=0.5)", "."),
    "Unix Makefiles": (
        "cmake-makefiles",
        "libstudio_colours.so",
        "grey",
        "fade_",
        "float amount)",
        "float amount=1.0)",
        "python",
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="names of binaries are Linux's")
@pytest.mark.parametrize("generator", EXAMPLE_OF)
def test_an_example_from_its_first_build_to_a_removed_op(generator, project_of, new_environment, tmp_path):
    example, binary, first, second, before, after, place = EXAMPLE_OF[generator]
    project = project_of(example)
    project.configure(generator)
    everything = {f"{first}.cpp", f"{second}.cpp", "library.cpp", binary}

    assert everything <= set(project.built())
    assert project.built() == []

    # It is used from the build tree, and from where it is installed, where no opgen is.
    project.cmake("-E", "chdir", "build", Path(CMAKE).with_name("ctest"), "--output-on-failure")
    fresh = new_environment()
    project.cmake("--install", "build", "--prefix", fresh.site)
    installed = str(fresh.site / place)
    assert fresh.run(project.folder / "check.py", cwd=tmp_path, PYTHONPATH=installed).stdout == "ok\n"
    assert fresh.run("-c", "import opgen", cwd=tmp_path, check=False).returncode == 1

    # A kernel, a sentence of documentation, a schema: each compiles what it is about.
    project.edit(f"kernels/cpu/{first}.cpp", "}  // namespace", "// changed\n}  // namespace")
    assert project.built() == sorted([f"{first}.cpp", binary])
    project.edit("ops.yaml", before, after)
    assert project.built() == sorted([f"{second}.cpp", "library.cpp", binary])
    assert project.built() == []

    # A mistake ends the build with its place; once mended, nothing is compiled for its sake.
    project.edit("ops.yaml", "reference:", "referense:")
    failed = project.cmake("--build", "build", check=False)
    assert failed.returncode != 0
    assert "unknown key 'referense' in an op" in failed.stdout + failed.stderr
    project.edit("ops.yaml", "referense:", "reference:")
    assert project.built() == []

    # An op that is gone is in no file and in no binary.
    text = (project.folder / "ops.yaml").read_text(encoding="utf-8")
    (project.folder / "ops.yaml").write_text(text[: text.index(f"  - func: {second}")], encoding="utf-8")
    assert project.built() == sorted(["library.cpp", binary])
    assert project.built() == []
    assert not list(project.build_folder.rglob(f"{second}.[ch]*p"))
    (library,) = project.build_folder.rglob(binary)
    assert f"::{second}".encode() not in library.read_bytes()


CMAKELISTS = """\
cmake_minimum_required(VERSION 3.22)
project(small LANGUAGES CXX)
find_package(opgen{version} REQUIRED)
{before}
opgen_add_library({arguments})
"""
SCHEMAS = {
    "stable.yaml": 'opgen: 1\nnamespace: small\nops: [{func: one(Tensor x) -> Tensor, tensors: {return: "x.dtype [1]"}}]\n',
    "classic.yaml": 'opgen: 1\nnamespace: small\nabi: classic\nops: [{func: one(Tensor x) -> Tensor, tensors: {return: "x.dtype [1]"}}]\n',
    "cuda.yaml": 'opgen: 1\nnamespace: small\nops: [{func: one(Tensor x) -> Tensor, dispatch: {CUDA: cuda}, tensors: {return: "x.dtype [1]"}}]\n',
    "a>b.yaml": "opgen: 1\nnamespace: small\nops: []\n",
    "broken.yaml": "opgen: 1\nnamespace: small\nops: [{func: one(Tensor x) -> Tensr}]\n",
}


@pytest.fixture(scope="module")
def small_project(builder, tmp_path_factory):
    """A project that is configured anew for each mistake; the compiler is looked for once."""
    folder = tmp_path_factory.mktemp("small")
    for name, text in SCHEMAS.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, version in {"old": "2.9.1", "empty": None, "new": "2.13.0"}.items():
        (folder / name / "lib").mkdir(parents=True)
        if version:
            (folder / name / "version.py").write_text(f"__version__ = '{version}+cpu'\n", encoding="utf-8")
    (folder / "old/lib/libtorch_cpu.so").touch()
    (folder / "python").write_text(f"#!/bin/sh\necho '{folder}/old'\n", encoding="utf-8")
    (folder / "python").chmod(0o755)
    return Project(folder, builder)


@pytest.mark.parametrize(
    ("arguments", "before", "version", "message"),
    [
        ("", "", "", "the name of the library is missing"),
        ("OPS stable.yaml", "", "", "the name of the library is missing"),
        ("small", "", "", "OPS is missing, the declaration"),
        ("small OPS", "", "", "without a value: OPS"),
        ("small OPS stable.yaml KERNEL x.cpp", "", "", "unknown arguments: KERNEL;x.cpp"),
        ("small OPS stable.yaml ABI unstable", "", "", "ABI is 'unstable', expected stable or classic"),
        (
            "small OPS classic.yaml ABI stable",
            "",
            "",
            "ABI is stable, but 'classic.yaml' has operators with `abi: classic`",
        ),
        ("small OPS stable.yaml BACKENDS CPU CUDA", "", "", "BACKENDS names CUDA, but"),
        ("small OPS stable.yaml BACKENDS XPU", "", "", "has no kernel to compile for it"),
        ("small OPS broken.yaml", "", "", "unknown type 'Tensr'"),
        ("small OPS missing.yaml", "", "", "OPS names 'missing.yaml', but there is no such file"),
        ("small OPS a>b.yaml", "", "", "CMake and Ninja can't deal with < or > in a path: rename '/"),
        ("small OPS old", "", "", "OPS names 'old', but there is no such file"),
        ("small OPS stable.yaml TORCH old", "", "", "asks for torch 2.10, but 2.9.1 was found"),
        (
            "small OPS stable.yaml",
            "set(Python_EXECUTABLE ${CMAKE_CURRENT_SOURCE_DIR}/python)",
            "",
            "but 2.9.1 was found",
        ),
        ("small OPS stable.yaml TORCH empty", "", "", "is no folder of PyTorch"),
        ("small OPS stable.yaml TORCH new", "", "", "there is no libtorch_cpu in"),
        ("small OPS stable.yaml", "set(TORCH_INSTALL_PREFIX /)", "", "find_package(Torch) has found '/', but"),
        ("small OPS stable.yaml", "", " 9.0", "version: 0."),
    ],
)
def test_a_mistake_is_a_sentence(small_project, arguments, before, version, message):
    text = CMAKELISTS.format(arguments=arguments, before=before, version=version)
    (small_project.folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    folder = f"-Dopgen_DIR={PROJECT / 'codegen/opgen/integrations/cmake'}"

    done = small_project.configure("Unix Makefiles", folder, check=False)

    assert done.returncode != 0
    assert message in " ".join((done.stdout + done.stderr).split())


def test_a_library_of_one_torch_is_configured(small_project):
    text = CMAKELISTS.format(arguments="small OPS stable.yaml BACKENDS CPU NO_INSTALL", before="", version=" 0.1")
    (small_project.folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    folder = f"-Dopgen_DIR={PROJECT / 'codegen/opgen/integrations/cmake'}"

    done = small_project.configure("Unix Makefiles", folder)

    assert f"opgen: PyTorch {torch.__version__.partition('+')[0]} (" in done.stdout
    assert "torch" not in (small_project.build_folder / "CMakeCache.txt").read_text(encoding="utf-8").lower()


def test_neither_variables_of_a_project_nor_the_roots_of_a_toolchain_lead_to_other_libraries(small_project):
    before = "set(library mine)\nset(c10 mine)\nset(folder /)\nset(Python_EXECUTABLE)\n"
    text = CMAKELISTS.format(arguments="small OPS classic.yaml NO_INSTALL", before=before, version="")
    show = "get_target_property(links small_classic LINK_LIBRARIES)\nget_target_property(torch opgen::torch INTERFACE_LINK_LIBRARIES)\n"
    (small_project.folder / "CMakeLists.txt").write_text(
        f'{text}{show}message("${{links}};${{torch}}")\n', encoding="utf-8"
    )
    folder = f"-Dopgen_DIR={PROJECT / 'codegen/opgen/integrations/cmake'}"
    roots = ("-DCMAKE_FIND_ROOT_PATH=/nowhere", "-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY")

    done = small_project.configure("Unix Makefiles", folder, *roots)

    assert re.search(r"^opgen::torch;/\S+/lib/libc10.so;/\S+/lib/libtorch_cpu.so$", done.stderr, re.MULTILINE)


@pytest.mark.parametrize(("flags", "expected"), [("", ["-O3"]), ("-g -O1", ["-O1"])])
def test_kernels_are_optimised_without_a_build_type_unless_the_flags_say_how(small_project, flags, expected):
    text = CMAKELISTS.format(arguments="small OPS stable.yaml", before="", version="")
    (small_project.folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    folder = f"-Dopgen_DIR={PROJECT / 'codegen/opgen/integrations/cmake'}"

    small_project.configure("Unix Makefiles", folder, "-DCMAKE_BUILD_TYPE=", f"-DCMAKE_CXX_FLAGS={flags}")

    made = (small_project.build_folder / "CMakeFiles/small.dir/flags.make").read_text(encoding="utf-8")
    assert re.findall(r"-O\d", made) == expected


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.skipif(torch.version.cuda is not None, reason="this PyTorch has CUDA")
def test_cuda_kernels_are_linked_with_a_stub_where_pytorch_has_no_cuda(small_project):
    before = "set(CMAKE_CUDA_ARCHITECTURES 80)\nenable_language(CUDA)"
    text = CMAKELISTS.format(arguments="small OPS cuda.yaml", before=before, version="")
    (small_project.folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    small_project.build_folder = small_project.folder / "build-cuda"
    folder = f"-Dopgen_DIR={PROJECT / 'codegen/opgen/integrations/cmake'}"
    python = f"-DPython_EXECUTABLE={small_project.environment.python}"

    small_project.cmake("-S", ".", "-B", "build-cuda", "-G", "Ninja", python, folder)
    small_project.cmake("--build", "build-cuda", "--target", "opgen_torch_cuda_stub")

    stub = small_project.build_folder / "opgen/libtorch_cuda.so"
    symbols = subprocess.run(["nm", "-D", "--defined-only", stub], capture_output=True, text=True, check=True).stdout
    assert {line.split()[-1] for line in symbols.splitlines() if "torch" in line} == set(
        find_cuda(Path(torch.__file__).parent).stub
    )
    ninja = (small_project.build_folder / "build.ninja").read_text(encoding="utf-8")
    assert re.search(r"LINK_LIBRARIES = .*opgen/libtorch_cuda\.so", ninja)
