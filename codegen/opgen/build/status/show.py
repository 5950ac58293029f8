"""Shows the matrix as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from opgen.build.status.facts import Matrix, OpStatus, State
from opgen.build.table import Cell, Colour, lay_out

_COLOURS: Mapping[State, Colour] = {State.READY: "green", State.MISSING: "red", State.OTHER: "dim"}


def table(matrix: Matrix, *, color: bool = False, columns: int = 0) -> str:
    """Return the table, with a summary of what is ready and what is missing below it.

    If it is wider than a terminal of ``columns`` characters (0: unlimited), columns without facts that count are left
    out.
    """
    laid_out = _laid_out(matrix, matrix.columns, color=color)
    if columns and max(map(len, _laid_out(matrix, matrix.columns, color=False).splitlines())) > columns:
        rows = [matrix.row(op) for op in matrix.ops]
        telling = [any(fact.state is not State.OTHER for fact in facts) for facts in zip(*rows, strict=True)]
        shown = [name for name, tells in zip(matrix.columns, telling, strict=True) if tells]
        hidden = [name for name in matrix.columns if name not in shown]
        laid_out = _laid_out(matrix, shown, color=color)
        if hidden:
            laid_out += f"\nnot shown, since nothing counts there: {', '.join(hidden)}\n"
    return f"{laid_out}\n{_summary(matrix)}\n"


def _laid_out(matrix: Matrix, shown: Sequence[str], *, color: bool) -> str:
    rows = []
    for op in matrix.ops:
        facts = dict(zip(matrix.columns, matrix.row(op), strict=True))
        cells = (Cell(facts[name].text, _COLOURS[facts[name].state]) for name in shown)
        rows.append([Cell(op.op), Cell(op.contract), *cells])
    return lay_out(["op", "contract", *shown], rows, color=color)


def _summary(matrix: Matrix) -> str:
    count = len(matrix.ops)
    lacking = ", ".join(f"{column} ({number})" for column, number in matrix.lacking.items())
    words = f"{count} op{'s' * (count != 1)}, {matrix.percent} % ready"
    return f"{words}; missing: {lacking}" if lacking else words


def json_object(matrix: Matrix) -> str:
    """Return a JSON object: ``percent``, ``missing`` (column -> number of ops), and ``ops`` with their facts."""
    record = {
        "percent": matrix.percent,
        "missing": matrix.lacking,
        "ops": [_object(matrix, op) for op in matrix.ops],
    }
    return json.dumps(record, indent=2) + "\n"


def _object(matrix: Matrix, op: OpStatus) -> dict[str, object]:
    facts = zip(matrix.columns, matrix.row(op), strict=True)
    return {
        "op": op.op,
        "contract": op.contract or None,
        "path": op.location.source.path,
        "line": op.location.start.line,
        "facts": {column: {"state": fact.state.value, "text": fact.text} for column, fact in facts},
    }
