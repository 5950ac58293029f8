"""docs/autograd.md: its library is built, its example runs, its tests pass, its words are those of the generator."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.check import check
from opgen.model.gradients.formula import ATTRIBUTES, METHODS
from opgen.spec.tests_form import TEST_NAMES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "autograd.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
KERNELS = {
    "scale": "def scale(x, factor, by, out):\n    out.copy_(x * factor * by)\n",
    "top": "def top(x, k, values, places):\n    found = x.topk(k)\n    values.copy_(found[0])\n    places.copy_(found[1])\n",
    "cube": "def cube(x, y, out):\n    out.copy_(x**3 * y)\n",
    "cube_backward": (
        "def cube_backward(grad, x, y, out0, out1):\n    out0.copy_(3 * grad * x**2 * y)\n    out1.copy_(grad * x**3)\n"
    ),
    "gate": "def gate(out, x):\n    left, right = x.chunk(2, -1)\n    out.copy_(left * right)\n",
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


def test_what_is_kept_in_place_of_a_tensor_is_on_the_page():
    asked = set(re.findall(r"`x\.(\w+)(?:\(0?\))?`", PAGE))
    assert asked == ATTRIBUTES | METHODS


def test_its_tests_exist():
    assert set(re.findall(r"`(test_\w+)`", PAGE)) <= set(TEST_NAMES)


@pytest.mark.torch
def test_its_library_is_built_its_example_runs_and_its_gradients_are_right(folder):
    pytest.importorskip("torch")
    example = f"import sys\nsys.path[:0] = ['generated', '.']\n{FILES['example.py']}"
    selected = "(gradcheck or gradient_reference) and not compile"
    for command in (
        ["-m", "opgen", "build"],
        ["-W", "ignore", "-c", example],
        ["-m", "opgen", "test", "-q", "-k", selected],
    ):
        done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
