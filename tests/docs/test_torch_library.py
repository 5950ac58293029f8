"""docs/torch-library.md: it names every entry of `torch.library`, its library is built, its example runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.check import check
from opgen.spec.tests_form import TEST_NAMES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "torch-library.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
KERNELS = {
    "scale": "def scale(x, factor, out):\n    out.copy_(x * factor)\n",
    "positive": "def positive(x):\n    return x[x > 0]\n",
    "transpose": "def transpose(x, out):\n    out.copy_(x.t())\n",
    "note": "def note(x):\n    pass\n",
}


@pytest.fixture
def folder(tmp_path):
    files = FILES | {f"kernels/cpu/{name}.py": text for name, text in KERNELS.items()}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_its_declaration_has_no_finding(folder):
    assert check(folder / "ops.yaml").diagnostics == ()


def test_its_tests_exist():
    assert set(re.findall(r"`(test_\w+)`", PAGE)) <= set(TEST_NAMES)


@pytest.mark.torch
def test_it_names_every_entry_of_torch_library():
    library = pytest.importorskip("torch.library")
    table = re.findall(r"^\| (.*?) \|", PAGE, re.MULTILINE)
    assert set(library.__all__) <= set(re.findall(r"`([\w.]+)`", " ".join(table)))


@pytest.mark.torch
def test_its_library_is_built_and_its_example_runs(folder):
    pytest.importorskip("torch")
    example = f"import sys\nsys.path[:0] = ['generated', '.']\n{FILES['example.py']}"
    for command in (["-m", "opgen", "build"], ["-W", "ignore", "-c", example]):
        done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
