"""docs/expressions.md: its library is built, its example runs, its gradients are right, its tables are the language's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.check import check
from opgen.model.compute.functions import FUNCTIONS, REDUCTIONS, SPECIAL

FILE = Path(__file__).resolve().parents[2] / "docs" / "expressions.md"
PAGE = FILE.read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def function_rows():
    letters = "x", "y", "z"
    for name, function in FUNCTIONS.items():
        call = f"{name}({', '.join(letters[: function.arity])})"
        yield f"| `{call}` | {function.result.value} | {function.meaning} |"
    for name, (arity, meaning) in SPECIAL.items():
        arguments = "condition, a, b" if name == "where" else ", ".join(letters[:arity])
        yield f"| `{name}({arguments})` | | {meaning} |"


TABLES = {
    "functions": ["| function | result | meaning |", "|---|---|---|", *function_rows()],
    "reductions": [
        "| reduction | meaning |",
        "|---|---|",
        *(f"| `{name}(x, n)` | {meaning} |" for name, meaning in REDUCTIONS.items()),
    ],
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", TABLES)
def test_its_tables_are_those_of_the_language(name):
    table = f"<!-- {name} -->\n" + "\n".join(TABLES[name]) + "\n<!-- end -->"
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        text = FILE.read_text(encoding="utf-8")
        FILE.write_text(
            re.sub(rf"<!-- {name} -->.*?<!-- end -->", lambda _: table, text, flags=re.DOTALL), encoding="utf-8"
        )
    assert table in FILE.read_text(encoding="utf-8")


def test_its_declaration_has_no_finding_and_the_contract_that_it_says(folder):
    checked = check(folder / "ops.yaml")
    assert checked.diagnostics == ()
    (clamp,) = (op for op in checked.library.ops if op.name == "clamp")
    derived = ", ".join(f'{entry.key.value}: "{entry.text.value}"' for entry in clamp.spec.tensors)
    assert f"`{{{derived}}}`" in PAGE


@pytest.mark.torch
@pytest.mark.usefixtures("unoptimised")
def test_its_library_is_built_its_example_runs_and_its_gradients_are_right(folder):
    pytest.importorskip("torch")
    example = f"import sys\nsys.path[:0] = ['generated', '.']\n{FILES['example.py']}"
    selected = "(gradcheck or gradient_reference or test_reference) and not compile"
    for command in (
        ["-m", "opgen", "build"],
        ["-W", "ignore", "-c", example],
        ["-m", "opgen", "test", "-q", "-k", selected],
    ):
        done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
