"""File names of pages, and the quoting of texts in them."""

from __future__ import annotations

import re

from opgen.model.op import Op

FOLDER = "generated/docs"
WIDTH = 84
"""Columns of a code block that a documentation site shows beside its navigation without a scroll bar."""


def page_name(op: Op) -> str:
    """Return the file of a declared op's page; an op called ``readme`` must not replace the index ``README.md``."""
    return f"{op.identifier}.op.md" if op.identifier.lower() == "readme" else f"{op.identifier}.md"


def code(text: str) -> str:
    """Write a text as code, on one line, whatever it holds."""
    line = " ".join(text.split())
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else ""


def plain(text: str) -> str:
    """Write the first paragraph of a text on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())
