"""The table, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.comparison import Comparison, Line, Missing

_HEAD = ("what", "ours", "", "peer", "", "ratio", "wanted", "")


def as_text(lines: Sequence[Line]) -> str:
    """Lay the lines out in columns; those without figures stand below them, with the reason."""
    cells = [_cells(line) for line in lines if isinstance(line, Comparison)]
    rows = [_HEAD, *cells] if cells else []
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))] if rows else []
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    shown += [f"{line.what}: {_why(line.reason, failed=line.failed)}" for line in lines if isinstance(line, Missing)]
    return "\n".join(shown) + "\n"


def as_json(lines: Mapping[str, Sequence[Line]], machine: Mapping[str, str]) -> dict[str, Any]:
    """Return a document: the machine, and a record a line, of each row by name."""
    return {
        "machine": dict(machine),
        "rows": [{"row": row, **_record(line)} for row, found in lines.items() for line in found],
    }


def as_page(document: Mapping[str, Any]) -> str:
    """Return the table of ``as_json`` in Markdown, and where it was measured."""
    machine = document["machine"]
    lines = ["| what | measured | compared with | ratio (spread) | target | |", "|---|---|---|---|---|---|"]
    lines += [f"| {' | '.join(_page_cells(row))} |" for row in document["rows"]]
    where = f"{machine['processor']}, {machine['cores']} cores, {machine['system']}"
    versions = f"Python {machine['python']}, torch {machine['torch']}"
    is_timed = any(row.get("unit") in {"s", "µs"} for row in document["rows"])
    clock = "processor" if machine["seconds"] == "of the processor" else "wall-clock"
    seconds = f"Seconds are {clock} time. " if is_timed else ""
    return "\n".join([*lines, "", f"{seconds}Measured on {where}; {versions}."]) + "\n"


def as_peers(document: Mapping[str, Any], peers: Sequence[str]) -> str:
    """Return a table of ``as_json`` in Markdown with a line for each thing that was measured, and a column a peer.

    What was measured with none of the peers is left out.
    """
    lines = [f"| | opgen | {' | '.join(peers)} |", f"|---|---|{'---|' * len(peers)}"]
    by_what: dict[str, dict[str, Any]] = {}
    for row in document["rows"]:
        if row.get("peer") in peers:
            by_what.setdefault(row["what"], {})[row["peer"]] = row
    for what, rows in by_what.items():
        ours = next(iter(rows.values()))
        cells = [what, _figure(ours["our_median"], ours["unit"])]
        cells += [_figure(rows[peer]["peer_median"], rows[peer]["unit"]) if peer in rows else "" for peer in peers]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _page_cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    if "reason" in row:
        return row["what"], "", "", "", "", _why(row["reason"], failed=row["failed"])
    low, high = row["spread"]
    ours = f"{row['ours']}: {_figure(row['our_median'], row['unit'])}"
    peer = f"{row['peer']}: {_figure(row['peer_median'], row['unit'])}"
    spread = f" ({low:.3f} to {high:.3f})" if low != high else ""
    return row["what"], ours, peer, f"**{row['ratio']:.3f}**{spread}", f"{row['wanted']:.3g}", row["verdict"]


def _cells(one: Comparison) -> tuple[str, ...]:
    low, high = one.spread
    return (
        one.what,
        one.ours,
        _figure(median(one.our_runs), one.unit),
        one.peer,
        _figure(median(one.peer_runs), one.unit),
        f"{one.ratio:.3f}x" + (f" ({low:.3f} to {high:.3f})" if low != high else ""),
        f"<= {one.wanted:.3g}x",
        _verdict(one),
    )


def _record(one: Line) -> dict[str, Any]:
    if isinstance(one, Missing):
        return {"what": one.what, "reason": one.reason, "failed": one.failed}
    return {
        "what": one.what,
        "ours": one.ours,
        "peer": one.peer,
        "unit": one.unit,
        "our_runs": one.our_runs,
        "peer_runs": one.peer_runs,
        "our_median": median(one.our_runs),
        "peer_median": median(one.peer_runs),
        "ratio": one.ratio,
        "spread": one.spread,
        "wanted": one.wanted,
        "verdict": _verdict(one),
    }


def _why(reason: str, *, failed: bool) -> str:
    return f"{'failed' if failed else 'not measured'}: {reason.splitlines()[-1]}"


def _figure(value: float, unit: str) -> str:
    digits = {"s": 3, "µs": 2}.get(unit, 0)
    return f"{value:,.{digits}f} {unit}"


def _verdict(one: Comparison) -> str:
    return "reached" if one.reached else "missed"
