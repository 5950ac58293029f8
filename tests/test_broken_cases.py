"""Broken files, each with several mistakes: all of them are reported in one run, with carets.

``OPGEN_UPDATE_GOLDEN=1`` writes what is expected anew; read the difference before it is committed.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.check import check
from opgen.diagnostics import has_errors
from opgen.diagnostics.formats import FORMATS

CASES = sorted((Path(__file__).parent / "cases" / "broken").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mistake_of_a_broken_file_is_reported_in_one_run(case, monkeypatch):
    monkeypatch.chdir(case)
    found = check(Path("ops.yaml")).diagnostics
    printed = FORMATS["text"](found)
    golden = case / "expected.txt"
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        golden.write_text(printed, encoding="utf-8")

    assert has_errors(found)
    assert printed == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_is_written_while_a_mistake_stands(case, tmp_path):
    project = shutil.copytree(case, tmp_path / "project")
    before = sorted(project.rglob("*"))
    run = subprocess.run([sys.executable, "-m", "opgen", "generate"], cwd=project, capture_output=True, check=False)

    assert run.returncode == 1
    assert sorted(project.rglob("*")) == before


def test_there_are_twelve_of_them_with_several_mistakes_each():
    assert len(CASES) >= 12
    for case in CASES:
        assert (case / "expected.txt").read_text(encoding="utf-8").count("error[OPG") >= 3
