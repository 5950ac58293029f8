"""Finds the names that generated code uses and so has to import."""

from __future__ import annotations

import re


def mentions(code: str, name: str) -> bool:
    """Whether a name occurs in code as a whole word."""
    return re.search(rf"\b{name}\b", code) is not None
