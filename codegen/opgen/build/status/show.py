"""The matrix as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping

from opgen.build.status.facts import Matrix, OpStatus, State
from opgen.build.table import Cell, Colour, lay_out

_COLOURS: Mapping[State, Colour] = {State.READY: "green", State.MISSING: "red", State.OTHER: "dim"}


def table(matrix: Matrix, *, color: bool = False) -> str:
    """Lay it out in columns, and say below how much is ready and what is not."""
    rows = (
        [
            Cell(op.op),
            Cell(op.contract),
            *(Cell(fact.text, _COLOURS[fact.state]) for fact in matrix.row(op)),
        ]
        for op in matrix.ops
    )
    laid_out = lay_out(["op", "contract", *matrix.columns], rows, color=color)
    return f"{laid_out}\n{_summary(matrix)}\n"


def _summary(matrix: Matrix) -> str:
    count = len(matrix.ops)
    lacking = ", ".join(f"{column} ({number})" for column, number in matrix.lacking.items())
    words = f"{count} op{'s' * (count != 1)}, {matrix.percent} % ready"
    return f"{words}; missing: {lacking}" if lacking else words


def json_object(matrix: Matrix) -> str:
    """Print an object: ``percent``, ``missing`` (column -> how many ops), ``ops`` with the state and text of each fact."""
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
