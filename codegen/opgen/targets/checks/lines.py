"""Long calls over several lines, filled as clang-format and readers like them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_WIDTH = 112
"""Columns for a statement, which is indented by a few levels in a file of 120 columns."""


def fill(head: str, items: Sequence[str], tail: str) -> list[str]:
    """Lay out a call: as many items a line as fit, lines after the first aligned with the first item."""
    lines = [head]
    for place, item in enumerate(items):
        text = item + (tail if place == len(items) - 1 else ",")
        space = "" if lines[-1].endswith(("(", "{", "<", " ")) else " "
        if place and len(lines[-1]) + len(space) + len(text) > _WIDTH:
            lines.append(" " * len(head) + text)
        else:
            lines[-1] += space + text
    return lines if items else [head + tail]


def block(head: str, body: Iterable[str]) -> list[str]:
    """Put lines between braces."""
    return [*f"{head} {{".splitlines(), *indented(body, 2), "}"]


def indented(lines: Iterable[str], width: int) -> list[str]:
    """Yield lines indented by ``width`` columns."""
    return [" " * width + line for line in lines]
