"""One row a module: its ``ROW`` says what is measured. A new module is a new row."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from benchmarks.comparison import Row


def all_rows() -> dict[str, Row]:
    """Return the rows by name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    rows: list[Row] = [module.ROW for module in modules]
    return {row.name: row for row in rows}
