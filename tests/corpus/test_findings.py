"""The schemas of public libraries lint without a crash; see docs/findings.md."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.rules import all_codes

HERE = Path(__file__).resolve().parent
CORPUS = os.environ.get("OPGEN_CORPUS", "")

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not CORPUS, reason="OPGEN_CORPUS names no folder with schemas of public libraries"),
]


def run(*options):
    command = [sys.executable, str(HERE / "findings.py"), CORPUS, *options]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout


def test_both_tables_count_the_same_findings():
    by_repository, by_rule = run().split("\n\n")
    *_, total = by_repository.splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in by_rule.strip().splitlines()[2:]]
    counts = {severity: sum(int(row[3]) for row in rows if row[2] == severity) for severity in ("error", "warning")}

    assert {row[0] for row in rows} <= {code.id for code in all_codes()}
    assert [cell.strip() for cell in total.split("|")][2:4] == [str(counts["error"]), str(counts["warning"])]
    assert counts["error"] > 100


def test_the_findings_of_a_code_are_listed_with_their_schemas():
    assert "qqq_gemm(Tensor A, Tensor B, Tensor(a!) C" in run("--list", "OPG200")
