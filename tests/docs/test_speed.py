"""The page about speed shows the figures that were measured."""

import json
import os
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs/speed.md"
END = "<!-- end -->\n"


@pytest.mark.parametrize("figures", ["figures", "calls"])
def test_the_table_is_that_of_the_figures(figures, monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT))
    as_page = import_module("benchmarks.table").as_page
    document = json.loads((PROJECT / f"benchmarks/{figures}.json").read_text(encoding="utf-8"))
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(f"<!-- {figures} -->\n")
    after = rest.partition(END)[2]
    expected = f"{before}{begin}\n{as_page(document)}\n{END}{after}"
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        PAGE.write_text(expected, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == expected
