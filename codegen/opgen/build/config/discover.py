"""Finds the configuration file that applies to a folder."""

from __future__ import annotations

import re
from pathlib import Path

CONFIG_FILE = "opgen.toml"
PROJECT_FILE = "pyproject.toml"
_TABLE = re.compile(r"^[ \t]*(?:\[[ \t]*)?tool[ \t]*\.[ \t]*opgen\b", re.MULTILINE)


def discover(folder: Path) -> Path | None:
    """Return the nearest configuration file in a folder or above it, ``None`` if there is none."""
    for each in (folder.absolute(), *folder.absolute().parents):
        if (each / CONFIG_FILE).is_file():
            return each / CONFIG_FILE
        project = each / PROJECT_FILE
        # Searched as text, which is faster than parsing and also finds the table in a file with syntax errors.
        if project.is_file() and _TABLE.search(project.read_text("utf-8", "replace")):
            return project
    return None
