"""docs/breaking.md: its change is made in a repository and reported as it says, its tables are those of the code."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from opgen.breaking import codes
from opgen.breaking.category import MEANINGS
from opgen.diagnostics import Code

FILE = Path(__file__).resolve().parents[2] / "docs" / "breaking.md"
PAGE = FILE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
CODES = sorted((value for value in vars(codes).values() if isinstance(value, Code)), key=lambda code: code.id)


def rows(head):
    """The rows of the table of this head, cell by cell."""
    lines = PAGE.partition(f"{head}\n")[2].partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def git(folder, *arguments):
    config = ["-c", "user.name=n", "-c", "user.email=e"]
    subprocess.run(["git", *config, *arguments], cwd=folder, check=True, capture_output=True)


def test_its_change_is_reported_as_it_says(tmp_path):
    git(tmp_path, "init", "-q")
    ran = 0
    for block in BLOCK.finditer(PAGE):
        if block["file"]:
            git(tmp_path, "add", "-A")
            git(tmp_path, "commit", "-q", "--allow-empty", "-m", "before")
            (tmp_path / block["file"]).write_text(block["text"], encoding="utf-8")
        elif block["language"] == "console":
            command, _, expected = block["text"].removeprefix("$ ").partition("\n")
            program, *arguments = shlex.split(command)
            assert program == "opgen"
            done = subprocess.run(
                [sys.executable, "-m", "opgen", *arguments],
                cwd=tmp_path,
                env={**os.environ, "NO_COLOR": "1"},
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
            )
            if os.environ.get("OPGEN_UPDATE_GOLDEN"):
                text = FILE.read_text(encoding="utf-8")
                FILE.write_text(text.replace(block["text"], f"$ {command}\n{done.stdout}"), encoding="utf-8")
            else:
                assert done.stdout == expected, done.stderr
            assert done.returncode == 1
            ran += 1
    assert ran == 2


def test_its_workflow_is_yaml_that_fetches_history():
    (text,) = re.findall(r"^```yaml\n# \S+workflows\S+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    checkout, *_ = yaml.safe_load(text)["jobs"]["breaking"]["steps"]
    assert checkout["with"] == {"fetch-depth": 0}


def test_its_categories_are_those_of_the_code():
    assert rows("| category | callers |") == [[category.value, meaning] for category, meaning in MEANINGS.items()]


@pytest.mark.parametrize("code", CODES, ids=[code.id for code in CODES])
def test_a_kind_of_change_is_in_its_table(code):
    (row,) = (row for row in rows("| code | change | hits |") if row[0] == f"{code.id} {code.name}")
    assert row[1] == code.summary.rstrip(".")
    assert set(row[2].split(", ")) <= {category.value for category in MEANINGS}


def test_its_table_has_no_other_row():
    assert len(rows("| code | change | hits |")) == len(CODES)
