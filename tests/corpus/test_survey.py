"""Every schema of public libraries is generated or refused for a reason; see docs/corpus.md."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CORPUS = os.environ.get("OPGEN_CORPUS", "")

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not CORPUS, reason="OPGEN_CORPUS names no folder with schemas of public libraries"),
]


def survey(*options: str) -> list[dict[str, str]]:
    """Run the survey; return the rows of its table, the last one being the sum."""
    command = [sys.executable, str(HERE / "survey.py"), CORPUS, *options]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    heads, _, *rows = ([cell.strip() for cell in line.strip("| \n").split("|")] for line in run.stdout.splitlines())
    return [dict(zip(heads, [*row, ""], strict=False)) for row in rows]


def test_every_schema_is_generated_or_refused_for_a_reason():
    total = survey()[-1]
    refused = [part.split() for part in total["refused"].split(", ")]

    assert int(total["schemas"]) == int(total["stable"]) + int(total["classic"]) + sum(int(n) for _, n in refused)
    assert int(total["stable"]) + int(total["classic"]) > 2700
    assert all(code.startswith("OPG") for code, _ in refused)


@pytest.mark.compile
@pytest.mark.torch
def test_the_skeletons_of_a_library_compile_and_load():
    pytest.importorskip("torch")
    total = survey("--build", "3", "--only", "Dao-AILab/causal-conv1d")[-1]

    assert int(total["schemas"]) == 3
    assert total["compiled"] == total["schemas"]
