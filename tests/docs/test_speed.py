"""The page about speed shows the figures that were measured."""

import json
import os
from importlib import import_module
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs/speed.md"
BEGIN, END = "<!-- figures -->\n", "<!-- end -->\n"


def test_the_table_is_that_of_the_figures(monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT))
    as_page = import_module("benchmarks.table").as_page
    document = json.loads((PROJECT / "benchmarks/figures.json").read_text(encoding="utf-8"))
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    expected = f"{before}{BEGIN}\n{as_page(document)}\n{END}{after}"
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        PAGE.write_text(expected, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == expected
