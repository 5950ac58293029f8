"""``python -m benchmarks [ROW...]``: measure, and print a table."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.comparison import Comparison, Line, Plan
from benchmarks.machine import machine
from benchmarks.page import write_figures
from benchmarks.rows import all_rows
from benchmarks.table import as_json, as_text


def main() -> int:
    """Measure the rows that were asked for; 1 where one fails or misses what is wanted of it."""
    rows = all_rows()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(rows)}; by default the short ones")
    parser.add_argument("--all", action="store_true", help="measure every row, also those that take minutes")
    parser.add_argument("--long", action="store_true", help="the same, with a thousand ops where 40 would do")
    parser.add_argument("--runs", type=int, default=5, help="of each side, in turns (%(default)s)")
    parser.add_argument("--processor", action="store_true", help="count processor time: on a machine that others use")
    parser.add_argument("--tiny", action="store_true", help="inputs so small that the figures mean nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--write", action="store_true", help="store the figures, and write them into docs/speed.md")
    asked = parser.parse_args()
    if unknown := set(asked.rows) - set(rows):
        parser.error(f"there is no row {', '.join(sorted(unknown))}")
    usual = [name for name, row in rows.items() if asked.all or asked.long or not row.is_long]
    lines: dict[str, list[Line]] = {}
    for name in asked.rows or usual:
        started = time.monotonic()
        sys.stderr.write(f"measuring {name}")
        sys.stderr.flush()
        with tempfile.TemporaryDirectory() as folder:
            plan = Plan(Path(folder), asked.runs, asked.long, asked.processor, asked.tiny)
            lines[name] = list(rows[name].lines(plan))
        sys.stderr.write(f": {time.monotonic() - started:.0f} s\n")
    found = [line for measured in lines.values() for line in measured]
    where = machine(processor=asked.processor)
    sys.stdout.write(as_text(found))
    if asked.json:
        asked.json.write_text(json.dumps(as_json(lines, where), indent=2) + "\n", encoding="utf-8")
    whole = {name: measured for name, measured in lines.items() if asked.long or not rows[name].has_long_form}
    problems = write_figures(rows, whole, where) if asked.write and not asked.tiny else []
    sys.stderr.write("".join(f"not written: {problem}\n" for problem in problems))
    return int(bool(problems) or not all(map(_is_good, found)))


def _is_good(line: Line) -> bool:
    return line.reached if isinstance(line, Comparison) else not line.failed


if __name__ == "__main__":
    sys.exit(main())
