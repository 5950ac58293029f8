"""Where the lines of generated C++ break: as clang-format does it with one parameter a line."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 120


def lay_out(head: str, items: Sequence[str], tail: str, indent: int = 0) -> str:
    """Join items between a head that ends in a bracket and a tail, on one line where it fits, else one a line.

    ``indent`` is how far the first line will be indented; whoever indents it, indents the others with it.
    """
    line = head + ", ".join(items) + tail
    if indent + len(line) <= WIDTH:
        return line
    return head + (",\n" + " " * len(head)).join(items) + tail
