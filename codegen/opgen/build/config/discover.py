"""Which configuration holds for a folder."""

from __future__ import annotations

import re
from pathlib import Path

CONFIG_FILE = "opgen.toml"
PROJECT_FILE = "pyproject.toml"
_TABLE = re.compile(r"^[ \t]*(?:\[[ \t]*)?tool[ \t]*\.[ \t]*opgen\b", re.MULTILINE)


def discover(folder: Path) -> Path | None:
    """Return the configuration that holds for a folder: the nearest one, in it or above."""
    for each in (folder.absolute(), *folder.absolute().parents):
        if (each / CONFIG_FILE).is_file():
            return each / CONFIG_FILE
        project = each / PROJECT_FILE
        # Looked at as a text: one that is broken elsewhere may still be meant, and parsing costs more.
        if project.is_file() and _TABLE.search(project.read_text("utf-8", "replace")):
            return project
    return None
