"""``opgen export --to kernel-builder``: what kernel-builder reads, compiles and loads."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from opgen.integrations.kernel_builder.names import with_own_namespace

OPS = """\
opgen: 1
namespace: rows
package: acme.rows_ops
defaults: {autograd: none}
ops:
  - func: scale(Tensor x, float factor=2.0) -> Tensor
    tensors: {x: "float32 [n]", return: "x.dtype [n]"}
    autograd: {x: grad * factor}
    dispatch: {CPU: cpp, CUDA: cuda}
  - func: shift_(Tensor(a!) x) -> Tensor(a!)
    tensors: {x: "float32 [n]"}
    dispatch: {CPU: python}
"""
KERNELS = {
    "kernels/common.inc": '#include "detail/factor.cpp"\n',
    "kernels/detail/factor.cpp": "inline float times(float x, double factor) { return x * static_cast<float>(factor); }\n",
    "kernels/cpu/scale.cpp": """\
#include <acme/rows_ops/scale.h>
#include "../common.inc"
namespace rows::cpu {
void scale(const Tensor& x, double factor, Tensor& out) {
  for (int64_t i = 0; i < x.numel(); ++i)
    out.mutable_data_ptr<float>()[i] = times(x.const_data_ptr<float>()[i * x.stride(0)], factor);
}
}  // namespace rows::cpu
""",
    "kernels/cuda/scale.cu": "// What launches it.\n",
    "kernels/cpu/shift_.py": """\
import torch

def shift_(x):
    x.copy_(torch.ops.rows.scale(x, 1.0) + 1)
""",
}
FIELDS = {
    "": {"general", "torch", "torch-noarch", "tvm-ffi", "kernel"},
    "general": {
        *("name", "version", "edition", "license", "upstream", "source", "backends", "cuda", "hub"),
        *("kernel-depends", "neuron", "python-depends", "tpu", "xpu"),
    },
    "hub": {"repo-id", "branch"},
    "torch": {"include", "minver", "maxver", "pyext", "src", "stable-abi", "cxx-flags"},
    "torch-noarch": {"pyext", "cuda_capabilities", "rocm_archs"},
    "cpu": {"backend", "cxx-flags", "depends", "include", "src"},
    "cuda": {
        *("backend", "cuda-capabilities", "cuda-flags", "cuda-minver", "cxx-flags", "depends", "include", "src"),
    },
}
"""The fields of edition 5, kernels-data/src/config/v5.rs of https://github.com/huggingface/kernels; unknown ones are refused there."""

REGISTRATION = """\
#include <Python.h>
#define _CONCAT(A, B) A##B
#define CONCAT(A, B) _CONCAT(A, B)
#define _STRINGIFY(A) #A
#define STRINGIFY(A) _STRINGIFY(A)
#define REGISTER_EXTENSION(NAME)                                               \\
  PyMODINIT_FUNC CONCAT(PyInit_, NAME)() {                                     \\
    static struct PyModuleDef module = {PyModuleDef_HEAD_INIT,                 \\
                                        STRINGIFY(NAME), nullptr, 0, nullptr}; \\
    return PyModule_Create(&module);                                           \\
  }
"""
"""What kernel-builder adds, as does this for a build named so; _ops.py.in and registration.h in kernel-builder/src/pyproject/templates/torch."""
NAME = "_acme_rows_ops_cpu_1a2b3c"
OPS_PY = f"""\
import torch
from . import {NAME}
ops = torch.ops.{NAME}

def add_op_namespace_prefix(op_name: str):
    return f"{NAME}::{{op_name}}"
"""
CALLS = """\
import importlib.util, sys
import torch

spec = importlib.util.spec_from_file_location({name!r}, {package!r} + "/__init__.py")
kernel = importlib.util.module_from_spec(spec)
sys.modules[{name!r}] = kernel
spec.loader.exec_module(kernel)

x = torch.arange(4.0, requires_grad=True)
kernel.scale(x, 3.0).sum().backward()
assert x.grad.tolist() == [3.0] * 4
y = torch.arange(4.0)
assert kernel.shift_(y) is y and y.tolist() == [1.0, 2.0, 3.0, 4.0]
double = torch.compile(lambda x: kernel.scale(x) + 1, fullgraph=True, backend="aot_eager")
assert double(y).tolist() == [3.0, 5.0, 7.0, 9.0]
assert torch.vmap(kernel.scale)(torch.ones(2, 3)).tolist() == [[2.0] * 3] * 2
try:
    kernel.scale(torch.ones(1, device="meta").to("meta").expand(2, 2))
except RuntimeError as error:
    assert "argument 'x'" in str(error), error
assert not hasattr(torch.ops.rows, "scale")
assert torch.ops.{name}.scale.default._schema.name == "{name}::scale"
"""


def opgen(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "opgen", *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    root = tmp_path_factory.mktemp("library")
    for name, text in {"ops.yaml": OPS, **KERNELS}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    done = opgen("export", "--to", "kernel-builder", "hub", "--license", "mit", "--repository", "acme/rows", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    return root / "hub"


def described(project):
    return pytest.importorskip("tomllib").loads((project / "build.toml").read_text(encoding="utf-8"))


def test_build_toml_has_the_fields_of_its_edition_and_names_files_that_are_there(exported):
    build = described(exported)
    general = build["general"]
    assert build.keys() <= FIELDS[""]
    assert general.keys() <= FIELDS["general"]
    assert general["hub"] == {"repo-id": "acme/rows"}
    expected = {"name": "acme-rows-ops", "version": 1, "edition": 5, "license": "mit", "backends": ["cpu", "cuda"]}
    assert {key: general[key] for key in expected} == expected
    assert build["torch"].keys() <= FIELDS["torch"]
    assert build["torch"]["stable-abi"] == {"cpu": "2.10", "cuda": "2.10"}
    sections = build["kernel"]
    assert {name: each["backend"] for name, each in sections.items()} == {
        "acme_rows_ops_cpu": "cpu",
        "acme_rows_ops_cuda": "cuda",
    }
    for each in sections.values():
        assert each.keys() <= FIELDS[each["backend"]]
        assert each["depends"] == ["torch"]
    listed = [path for each in (build["torch"], *sections.values()) for path in each["src"]]
    assert sorted(listed) == sorted(set(listed))
    assert all((exported / path).is_file() for path in listed)
    there = {path.relative_to(exported).as_posix() for path in (exported / "csrc").rglob("*") if path.is_file()}
    assert there == {path for path in listed if path.startswith("csrc/")}


def test_heads_name_the_command_that_makes_the_files_anew(exported):
    first = (exported / "csrc/units/cpu/scale.cpp").read_text(encoding="utf-8").splitlines()[0]
    assert 'do not edit, run "opgen export".' in first


def test_only_units_are_compiled_and_find_the_authors_files_wherever_these_stood(exported):
    compiled = [path.relative_to(exported).as_posix() for path in exported.rglob("*") if path.suffix in {".cpp", ".cu"}]
    assert sorted(compiled) == ["csrc/units/cpu/scale.cpp", "csrc/units/cuda/scale.cu", "torch-ext/torch_binding.cpp"]
    kernel = (exported / "csrc/kernels/cpu/scale.cpp.h").read_text(encoding="utf-8")
    assert '#include "kernels/common.inc.h"' in kernel
    common = (exported / "csrc/kernels/common.inc.h").read_text(encoding="utf-8")
    assert '#include "kernels/detail/factor.cpp.h"' in common


@pytest.mark.compile
@pytest.mark.skipif(sys.platform == "win32", reason="compiles with a Unix compiler")
def test_the_extension_as_kernel_builder_compiles_it_serves_calls_gradients_and_traces(exported, tmp_path):
    torch = Path(pytest.importorskip("torch").__file__).parent
    build = described(exported)
    (exported / "torch-ext/registration.h").write_text(REGISTRATION, encoding="utf-8")
    package = exported / "torch-ext/acme_rows_ops"
    (package / "_ops.py").write_text(OPS_PY, encoding="utf-8")
    sections = (build["torch"], build["kernel"]["acme_rows_ops_cpu"])
    flags = ["-std=c++17", "-O1", "-fPIC", "-shared", "-fno-gnu-unique", *sections[1]["cxx-flags"]]
    macros = [
        f"-DTORCH_EXTENSION_NAME={NAME}",
        "-DCPU_KERNEL",
        "-DPy_LIMITED_API=3",
        "-DTORCH_TARGET_VERSION=0x20a000000000000",
    ]
    folders = ["-I", "csrc", "-isystem", torch / "include", "-isystem", sysconfig.get_path("include")]
    units = [path for each in sections for path in each["src"] if path.endswith(".cpp")]
    libraries = ["-L", torch / "lib", "-ltorch_cpu", "-o", package / f"{NAME}.abi3.so"]
    subprocess.run(["g++", *flags, *macros, *folders, *units, *libraries], cwd=exported, check=True)

    calls = tmp_path / "calls.py"
    calls.write_text(CALLS.format(name=NAME, package=str(package)), encoding="utf-8")
    done = subprocess.run([sys.executable, calls], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_second_export_removes_what_it_made_of_an_op_that_has_gone(exported, tmp_path):
    (tmp_path / "ops.yaml").write_text(OPS.partition("  - func: shift_")[0].replace("scale", "other"), encoding="utf-8")
    for path in ("kernels/cpu/other.cpp", "kernels/cuda/other.cu"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("", encoding="utf-8")
    hub = tmp_path / "hub"
    assert opgen("export", "--to", "kernel-builder", hub, cwd=exported.parent).returncode == 0
    (hub / "torch-ext/mine.py").write_text("", encoding="utf-8")

    done = opgen("export", "--to", "kernel-builder", hub, cwd=tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    left = [path.relative_to(hub).as_posix() for path in hub.rglob("*") if path.is_file()]
    assert [path for path in left if "scale" in path or "shift_" in path] == []
    assert "torch-ext/mine.py" in left
    assert "csrc/units/cpu/other.cpp" in left


@pytest.mark.parametrize(
    ("op", "reason"),
    [
        (
            "{func: f(Tensor x) -> Tensor, dispatch: {CPU: {kernel: python, symbol: 'acme.kernels:f'}}}",
            "stands in 'acme.kernels'",
        ),
        ("{func: f(Tensor x) -> Tensor, dispatch: {HPU: python}}", "no backend for HPU"),
        ("{func: f(Tensor x) -> Tensor, dispatch: {CPU: cpp}}", "'kernels/cpu/f.cpp' is missing"),
        ("{func: 'other::f(Tensor x) -> Tensor', dispatch: {CPU: cpp}}", "in another than the library"),
    ],
)
def test_what_it_has_no_place_for_is_refused_with_the_remedy(tmp_path, op, reason):
    text = f"opgen: 1\nnamespace: rows\ndefaults: {{autograd: none}}\nops:\n  - {op}\n"
    (tmp_path / "ops.yaml").write_text(text, encoding="utf-8")
    done = opgen("export", "--to", "kernel-builder", "hub", cwd=tmp_path)
    assert done.returncode == 1
    assert reason in done.stdout, done.stdout + done.stderr
    assert "OPG872" in done.stdout
    assert not (tmp_path / "hub").exists()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('FAKES = {"rows::add.out": f}', 'FAKES = {add_op_namespace_prefix("add.out"): f}'),
        ("x = torch.ops.rows.add.out(y)", "x = ops.add.out(y)"),
        ('x = getattr(torch.ops.rows, "in")', 'x = getattr(ops, "in")'),
        ('y = "rows::add: wrong"  # rows::add', None),
        ('"""rows::add"""', 'add_op_namespace_prefix("add")'),
        ('x = rb"rows::add"', None),
        ('x = "\f\u2028"; y = "rows::add"', 'x = "\f\u2028"; y = add_op_namespace_prefix("add")'),
        ('x = ("rows::add"', None),
        ('x = f"rows::add"', None),
        ('x = "other::add" + torch.ops.rowsx.y', None),
    ],
)
def test_names_of_operators_are_made_where_they_are_used_and_left_where_they_are_said(line, expected):
    found = with_own_namespace(f"import torch\n{line}\n", "rows", 1)
    if expected is None:
        assert found == f"import torch\n{line}\n"
    else:
        used = "add_op_namespace_prefix" if "prefix" in expected else "ops"
        assert found == f"from .._ops import {used}\nimport torch\n{expected}\n"


def test_a_library_whose_kernels_are_in_python_compiles_nothing(tmp_path):
    (tmp_path / "ops.yaml").write_text(
        OPS.replace("dispatch: {CPU: cpp, CUDA: cuda}", "dispatch: {CPU: python}"), encoding="utf-8"
    )
    (tmp_path / "kernels/cpu").mkdir(parents=True)
    for name in ("scale", "shift_"):
        (tmp_path / f"kernels/cpu/{name}.py").write_text("", encoding="utf-8")
    done = opgen("export", "--to", "kernel-builder", "hub", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    build = described(tmp_path / "hub")
    assert build.keys() == {"general", "torch-noarch"}
    assert build["general"]["backends"] == ["cpu"]
    assert {path.name for path in (tmp_path / "hub").iterdir()} == {"build", "build.toml", "flake.nix", "torch-ext"}
    assert (tmp_path / "hub/torch-ext/acme_rows_ops/_kernels/cpu/scale.py").is_file()


def test_a_mistake_in_a_template_of_the_authors_is_a_finding(tmp_path):
    op = "{func: two(Tensor x) -> Tensor, tensors: {x: 'float [n]', return: 'x.dtype [n]'}, pointwise: x * 2}"
    (tmp_path / "ops.yaml").write_text(f"opgen: 1\nnamespace: mine\nops: [{op}]\n", encoding="utf-8")
    template = tmp_path / "opgen-templates/kernel_builder/build.toml.j2"
    template.parent.mkdir(parents=True)
    template.write_text("{# opgen views 1 #}\n{{ view.nothing }}\n", encoding="utf-8")
    done = opgen("export", "--to", "kernel-builder", "out", cwd=tmp_path)
    assert "error[OPG881]" in done.stdout
    assert "build.toml.j2:2" in done.stdout


def test_the_folder_is_asked_for_where_there_is_one_to_fill(tmp_path):
    (tmp_path / "ops.yaml").write_text(OPS, encoding="utf-8")
    assert "needs a FOLDER" in opgen("export", "--to", "kernel-builder", cwd=tmp_path).stderr
    assert "takes no FOLDER" in opgen("export", "--to", "executorch", "there", cwd=tmp_path).stderr
