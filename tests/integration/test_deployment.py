"""docs/deployment.md: a program without Python calls operators of this project, and runs a model that was exported with them."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from opgen.build.toolchain import Toolchain, find_toolchain

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs" / "deployment.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMPILE, RUN, PRINTED = re.search(r"^```console\n\$ (.*)\n\$ (.*)\n((?:.*\n)*?)```$", PAGE, re.MULTILINE).groups()
TOOLCHAIN = find_toolchain(None, (2, 10))

pytestmark = [
    pytest.mark.compile,
    pytest.mark.usefixtures("unoptimised"),
    pytest.mark.torch,
    pytest.mark.skipif(not isinstance(TOOLCHAIN, Toolchain), reason="no C++ compiler, ninja or torch to build with"),
    pytest.mark.skipif(sys.platform != "linux", reason="the program asks /proc what it has loaded"),
]

DEFINITIONS = "generated/{0}/lib{0}_define.so"
KERNELS = "generated/{0}/lib{0}.so"
SHOWN = ("add_(", "add_mutate(", "quant_block(")


def shell(command, cwd):
    return subprocess.run(command, shell=True, cwd=cwd, capture_output=True, text=True, check=False)  # noqa: S602 - of the page


def build(folder):
    done = subprocess.run(
        [sys.executable, "-m", "opgen", "build"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Those operators of this project that the page shows, with its library of definitions."""
    folder = tmp_path_factory.mktemp("deployment")
    entries = [
        entry
        for theme in ("arithmetic", "quantisation")
        for entry in yaml.safe_load((PROJECT / "ops" / f"{theme}.yaml").read_text(encoding="utf-8"))["ops"]
        if entry["func"].startswith(SHOWN)
    ]
    head = {"opgen": 1, "namespace": "nimble", "defaults": {"autograd": "none"}, "define_in": "both"}
    (folder / "ops.yaml").write_text(json.dumps({**head, "ops": entries}), encoding="utf-8")
    shutil.copytree(PROJECT / "references", folder / "references")
    (folder / "kernels" / "cpu").mkdir(parents=True)
    for name in ("add.h", "pieces.h", "add_.cpp", "add_mutate.cpp", "quant_block.cpp", "quantise.h"):
        shutil.copy(PROJECT / "kernels" / "cpu" / name, folder / "kernels" / "cpu")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    build(folder)
    return folder


@pytest.fixture(scope="module")
def program(library):
    """The page's program, compiled without an optimiser and with what it has loaded told at its end."""
    maps = 'extern "C" void loaded() { std::cout << std::ifstream("/proc/self/maps").rdbuf(); }\n'
    text = FILES["main.cpp"].replace("using at::Tensor;", f"#include <fstream>\n{maps}using at::Tensor;")
    head, brace, _ = text.rpartition("}")
    (library / "main.cpp").write_text(f"{head}  loaded();\n{brace}\n", encoding="utf-8")
    compiled = shell(f"TORCH={TOOLCHAIN.torch.folder}; {COMPILE.replace('g++', TOOLCHAIN.compiler[0])} -O0", library)
    assert compiled.returncode == 0, compiled.stderr
    return library / "main"


def test_the_page_is_true(library, program, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(library / "cache"))  # a cache may hold graphs of other builds
    exported = subprocess.run([sys.executable, "export.py"], cwd=library, capture_output=True, text=True, check=False)
    assert exported.returncode == 0, exported.stderr

    done = shell(RUN, program.parent)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(PRINTED)
    assert "libtorch_cpu" in done.stdout
    assert "python" not in re.sub(r"\S*/torch/lib/", "", done.stdout)


def test_each_operator_runs_from_a_package_of_its_own(library):
    paths = [f"generated/tests/test_{name.rstrip('(')}.py" for name in SHOWN]
    done = subprocess.run(
        [sys.executable, "-m", "opgen", "test", "--no-build", "--aoti", "-n0", "-q", "-k", "test_aoti", *paths],
        cwd=library,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(rf"^{len(SHOWN)} passed, ", done.stdout, re.MULTILINE), done.stdout + done.stderr


def python(code, cwd):
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)


def test_a_file_may_be_opened_twice_and_a_second_definition_ends_the_process(library, tmp_path):
    package = library / "generated"
    opened = [str(library / path.format("nimble_ops")) for path in (DEFINITIONS, KERNELS, DEFINITIONS, KERNELS)]
    begin = f"import ctypes, torch\nfor path in {opened}: ctypes.CDLL(path)\n"

    twice = python(f"{begin}print(torch.ops.nimble.add_(torch.ones(1), torch.ones(1)).item())", package)
    copied = python(f"{begin}ctypes.CDLL({str(shutil.copy(opened[0], tmp_path))!r})", package)
    beside = python(f"import ctypes, nimble_ops\nctypes.CDLL({opened[0]!r})", package)

    assert twice.stdout.splitlines() == ["2.0"], twice.stderr
    for ended in (copied, beside):
        assert ended.returncode != 0
        assert "nimble_ops: add_(Tensor(a!) x, Tensor y) -> Tensor(a!) is defined already" in ended.stderr


def test_definitions_of_two_packages_share_a_namespace_and_know_their_kernels(library, tmp_path):
    head = {"opgen": 1, "namespace": "nimble", "package": "nimble_more", "define_in": "both"}
    answer = {
        "func": "answer(SymInt[] sizes, SymInt? last=None) -> SymInt",
        "fake": "none",
        "autograd": "none",
        "dispatch": {"CompositeExplicitAutograd": {"kernel": "cpp", "symbol": "answer", "file": "answer.h"}},
    }
    (tmp_path / "ops.yaml").write_text(json.dumps({**head, "ops": [answer]}), encoding="utf-8")
    (tmp_path / "answer.h").write_text(
        "#include <nimble_more/answer.h>\n"
        "inline int64_t answer(const std::vector<int64_t>& sizes, std::optional<int64_t> last) {\n"
        "  int64_t product = last.value_or(1);\n  for (int64_t size : sizes) product *= size;\n  return product;\n}\n",
        encoding="utf-8",
    )
    build(tmp_path)
    libraries = [
        (package, *(str(folder / path.format(package)) for path in (DEFINITIONS, KERNELS)))
        for folder, package in ((library, "nimble_ops"), (tmp_path, "nimble_more"))
    ]
    code = f"""
import ctypes, torch
def text(library, name):
    function = getattr(library, name)
    function.restype = ctypes.c_char_p
    return function().decode()
for package, definitions, kernels in {libraries}:
    definitions, kernels = ctypes.CDLL(definitions), ctypes.CDLL(kernels)
    assert text(definitions, package + '_defined_schema_hash') == text(kernels, package + '_schema_hash')
print(torch.ops.nimble.answer([2, 3], 7), torch.ops.nimble.answer([5]))
print(torch.ops.nimble.add_(torch.ones(1), torch.ones(1)).item())
"""
    done = python(code, tmp_path)

    assert done.stdout.splitlines() == ["42 5", "2.0"], done.stderr
