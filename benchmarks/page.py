"""The figures that ``docs/speed.md`` shows: a JSON file a table, and the page made from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.comparison import Line, Row
from benchmarks.table import as_json, as_page

_HERE = Path(__file__).resolve().parent
PAGE = _HERE.parent / "docs/speed.md"
END = "<!-- end -->\n"


def figures_file(table: str) -> Path:
    """Return where the figures of a table stand."""
    return _HERE / f"{table}.json"


def page_with(page: str, table: str, document: Mapping[str, Any]) -> str:
    """Return the page with a table's figures in the place of those that it has.

    Raises:
        ValueError: the page has no place for them.
    """
    before, begin, rest = page.partition(f"<!-- {table} -->\n")
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"docs/speed.md has no place for the table '{table}'")
    return f"{before}{begin}\n{as_page(document)}\n{END}{after}"


def write_figures(
    rows: Mapping[str, Row], lines: Mapping[str, Sequence[Line]], machine: Mapping[str, str]
) -> list[str]:
    """Store what was measured, and write the page; rows that were not measured keep the figures that they have.

    Returns:
        What was not written, in sentences: a table is of one machine, so on another one all its rows are needed.
    """
    problems = []
    for table in dict.fromkeys(rows[name].table for name in lines):
        members = [name for name, row in rows.items() if row.table == table]
        file = figures_file(table)
        stored = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"machine": {}, "rows": []}
        found = as_json({name: lines[name] for name in members if name in lines}, machine)
        missing = [name for name in members if name not in lines]
        if missing and _where(stored) != _where(found):
            problems.append(f"the table '{table}' is of another machine or clock; measure {', '.join(missing)} too")
            continue
        kept = [record for record in stored["rows"] if record["row"] in missing]
        found["rows"] = sorted([*kept, *found["rows"]], key=lambda record: members.index(record["row"]))
        file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
        PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), table, found), encoding="utf-8")
    return problems


def _where(document: Mapping[str, Any]) -> dict[str, str]:
    """Return what figures depend on: not the version of opgen, whose figures they are."""
    return {name: value for name, value in document["machine"].items() if name != "opgen"}
