"""The C functions of PyTorch's stable ABI, each with the release that it appeared in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from opgen.records import dataclass

SURFACE_FILE = Path(__file__).with_name("surface.json")
"""Written by ``opgen.audit.tabulate``."""

Release: TypeAlias = tuple[int, int]
"""Major and minor number of a release of PyTorch."""


@dataclass(frozen=True, slots=True)
class Surface:
    """The table.

    Attributes:
        releases: those that were looked at, in order.
        since: function -> the first of them that has it; none has gone so far.
    """

    releases: tuple[Release, ...]
    since: Mapping[str, Release]


@cache
def surface() -> Surface:
    """Read the table."""
    table = json.loads(SURFACE_FILE.read_text(encoding="utf-8"))
    return Surface(
        releases=tuple(map(release, table["releases"])),
        since={name: release(first) for first, names in table["since"].items() for name in names},
    )


def release(text: str) -> Release:
    """Read ``2.13`` or ``2.13.1+cpu``."""
    major, minor = text.split(".")[:2]
    return int(major), int(minor)
