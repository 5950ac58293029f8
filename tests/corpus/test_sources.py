"""The survey of sources runs, and the page that shows its table has its columns."""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
PAGE = PROJECT / "docs" / "real-libraries.md"


def table(text):
    lines = re.findall(r"^\|(.*)\|$", text, re.MULTILINE)
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def test_the_survey_prints_the_table_of_the_page():
    command = [sys.executable, str(HERE / "sources.py"), str(PROJECT / "examples" / "migration")]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    heads, _, row = table(run.stdout)
    page = table(PAGE.read_text(encoding="utf-8").partition("\n## ")[0])

    assert page[0] == heads
    assert all(one[6] == one[8] for one in page[2:])
    # The bindings and those of the second step; the operators are the same.
    assert row[:10] == ["migration", "16", "16", "0", "0", "10", "10", "", "10", ""]
