"""``python -m benchmarks [ROW...]``: measure, and print a table."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.comparison import Comparison, Plan
from benchmarks.machine import machine
from benchmarks.rows import all_rows
from benchmarks.table import as_json, as_text


def main() -> int:
    """Measure the rows that were asked for; 1 where one misses what is wanted of it."""
    rows = all_rows()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(rows)}; by default the short ones")
    parser.add_argument("--long", action="store_true", help="measure also what takes minutes")
    parser.add_argument("--runs", type=int, default=5, help="of each side, in turns (%(default)s)")
    parser.add_argument("--processor", action="store_true", help="count processor time: on a machine that others use")
    parser.add_argument("--tiny", action="store_true", help="inputs so small that the figures mean nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    asked = parser.parse_args()
    if unknown := set(asked.rows) - set(rows):
        parser.error(f"there is no row {', '.join(sorted(unknown))}")
    usual = [row for row in rows.values() if not row.is_apart and (asked.long or not row.is_long)]
    chosen = [rows[name] for name in asked.rows] or usual
    comparisons: list[Comparison] = []
    for row in chosen:
        sys.stderr.write(f"measuring {row.name}\n")
        with tempfile.TemporaryDirectory() as folder:
            comparisons += row.measure(Plan(Path(folder), asked.runs, asked.processor, asked.tiny))
    sys.stdout.write(as_text(comparisons))
    if asked.json:
        asked.json.write_text(
            json.dumps(as_json(comparisons, machine(processor=asked.processor)), indent=2) + "\n", encoding="utf-8"
        )
    return int(not all(comparison.reached for comparison in comparisons))


if __name__ == "__main__":
    sys.exit(main())
