"""Write ``surface.json``: which C functions the stable ABI of PyTorch has, and since which release.

    python -m opgen.audit.tabulate TORCH…

Each TORCH is the folder of an installed or unpacked ``torch`` package, of one release each. Read are the headers that declare
the C functions: ``torch/csrc/stable/c/shim.h``, and what it builds on, ``torch/csrc/inductor/aoti_torch/{c,generated}``. A
function is as old as the oldest release whose headers declare it, and no older than any ``#if TORCH_FEATURE_VERSION >=``
around it, which PyTorch puts there for just this purpose (``torch/csrc/stable/version.h``).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from opgen.audit.surface import SURFACE_FILE, Release

_FOLDERS = ("stable/c", "inductor/aoti_torch/c", "inductor/aoti_torch/generated")
_TOKEN = re.compile(
    r"^[ \t]*#[ \t]*(?P<directive>if|endif)(?P<condition>.*)$|AOTI_TORCH_EXPORT\s+[\w\s*]+?\b(?P<name>\w+)\s*\(",
    re.MULTILINE,
)
_GUARD = re.compile(r"TORCH_FEATURE_VERSION >= TORCH_VERSION_(\d+)_(\d+)_0")


def functions(header: str) -> Iterator[tuple[str, Release]]:
    """Yield each function that a header declares and the release of the guards around it; ``(0, 0)`` without any."""
    guards: list[Release] = []
    for token in _TOKEN.finditer(header):
        if token["name"]:
            yield token["name"], max(guards, default=(0, 0))
        elif token["directive"] == "endif":
            guards.pop()
        else:
            found = _GUARD.search(token["condition"])
            guards.append((int(found[1]), int(found[2])) if found else (0, 0))


def read_release(torch: Path) -> tuple[Release, dict[str, Release]]:
    """Return the release of a ``torch`` folder, and what its headers declare."""
    version = re.search(r"__version__ = '(\d+)\.(\d+)", (torch / "version.py").read_text(encoding="utf-8"))
    if version is None:
        raise ValueError(f"{torch} does not say which release it is")
    root = torch / "include" / "torch" / "csrc"
    headers = [header for folder in _FOLDERS for header in sorted((root / folder).glob("*.h"))]
    declared = dict(found for header in headers for found in functions(header.read_text(encoding="utf-8")))
    return (int(version[1]), int(version[2])), declared


def tabulate(folders: Sequence[Path]) -> str:
    """Return the content of ``surface.json`` made from the headers of several releases.

    Raises:
        ValueError: a function has gone, which the table has no place for.
    """
    declared = dict(sorted(map(read_release, folders)))
    since: dict[str, Release] = {}
    for release, names in declared.items():
        for name, guard in names.items():
            since[name] = max(since.get(name, release), guard)
    if gone := sorted(since.keys() - declared[max(declared)].keys()):
        raise ValueError(f"torch {_text(max(declared))} has no {', '.join(gone)} any more")

    def grouped(names: dict[str, Release]) -> dict[str, list[str]]:
        return {
            _text(release): sorted(n for n in names if names[n] == release) for release in sorted(set(names.values()))
        }

    table = {
        "source": "headers torch/csrc/stable/c, torch/csrc/inductor/aoti_torch; made by python -m opgen.audit.tabulate",
        "releases": [_text(release) for release in declared],
        "since": grouped(since),
    }
    return json.dumps(table, indent=1) + "\n"


def _text(release: Release) -> str:
    return ".".join(map(str, release))


if __name__ == "__main__":
    SURFACE_FILE.write_text(tabulate([Path(folder) for folder in sys.argv[1:]]), encoding="utf-8")
