"""Which names generated code uses, and so has to import."""

from __future__ import annotations

import re


def mentions(code: str, name: str) -> bool:
    """Whether a name stands in a code, as a word of its own."""
    return re.search(rf"\b{name}\b", code) is not None
