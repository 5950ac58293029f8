"""Lays out tables in columns. It imports nothing, since a build with nothing to do prints one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from opgen.records import dataclass

Colour: TypeAlias = Literal["green", "yellow", "red", "dim", ""]

_CODES = {"green": "\x1b[32m", "yellow": "\x1b[33m", "red": "\x1b[31m", "dim": "\x1b[2m"}
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Cell:
    """A text and its colour; empty for the default colour."""

    text: str
    colour: Colour = ""


def lay_out(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, color: bool = False) -> str:
    """Return the table with aligned columns, coloured with ``color``, and ending in a line break."""
    table = [[Cell(title) for title in head], *rows]
    widths = [max(len(cell.text) for cell in column) for column in zip(*table, strict=True)]
    lines = ["  ".join(map(_padded, cells, widths, [color] * len(widths))).rstrip() for cells in table]
    if color:
        lines[0] = f"{_BOLD}{lines[0]}{_PLAIN}"
    return "\n".join(lines) + "\n"


def _padded(cell: Cell, width: int, color: bool) -> str:  # noqa: FBT001 - called by map
    text = cell.text.ljust(width)
    return f"{_CODES[cell.colour]}{text}{_PLAIN}" if color and cell.colour else text
