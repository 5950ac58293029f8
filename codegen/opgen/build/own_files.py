"""Lists the files of opgen itself, by which caches and builds recognise another version."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def own_files() -> Iterator[str]:
    """Yield opgen's modules, grammars and templates, in an order that doesn't change."""
    for folder in (_PACKAGE, _PACKAGE.parents[1] / "templates"):
        for place, names, files in os.walk(folder):
            names[:] = sorted(name for name in names if name != "__pycache__")
            yield from (f"{place}/{name}" for name in sorted(files) if not name.endswith(".pyc"))
