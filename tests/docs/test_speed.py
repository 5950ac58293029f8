"""The page about speed shows the figures that were measured."""

import json
import os
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs/speed.md"
TABLES = sorted(file.stem for file in (PROJECT / "benchmarks").glob("*.json"))


@pytest.mark.parametrize("table", TABLES)
def test_the_table_is_that_of_the_figures(table, monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT))
    document = json.loads((PROJECT / f"benchmarks/{table}.json").read_text(encoding="utf-8"))
    expected = import_module("benchmarks.page").page_with(PAGE.read_text(encoding="utf-8"), table, document)
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        PAGE.write_text(expected, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == expected


def test_the_page_has_a_place_for_each_table(monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT))
    tables = {row.table for row in import_module("benchmarks.rows").all_rows().values()}
    page = PAGE.read_text(encoding="utf-8")
    assert set(TABLES) <= tables
    assert all(page.count(f"<!-- {table} -->\n") == 1 for table in tables)
