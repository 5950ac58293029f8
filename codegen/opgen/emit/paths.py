"""Finds obstacles for writing files below the project, and the files that earlier runs have left."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from pathlib import Path

from opgen.records import dataclass

WORK_FOLDER = "build/opgen"
"""The folder of objects, logs and caches, relative to the project; never committed."""

OUTPUT_FOLDER = "generated"
"""The output folder: files that opgen wrote there and no longer emits are removed."""

TEMPORARY_SUFFIX = ".opgen-new"
"""The suffix of staged files, which remain only if a run was killed."""


@dataclass
class Obstacles:
    """Tells why a path below ``root`` can't be written; the results for folders are cached."""

    root: Path
    _folders: dict[str, str | None] = field(default_factory=dict)

    def of(self, path: str) -> str | None:
        """Return the reason why a path can't be written, or ``None``; missing permissions aren't checked."""
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            self._folders[folder] = self._of_folder(folder)
        if reason := self._folders[folder]:
            return reason
        absolute = self.root / path
        if absolute.is_dir():
            return f"'{path}' is a folder, but a {_kind(path)} belongs there"
        if absolute.is_symlink() and (reason := self._of_link(path)):
            return reason
        return f"'{path}' can't be read" if absolute.exists() and not os.access(absolute, os.R_OK) else None

    def _of_folder(self, folder: str) -> str | None:
        parts = folder.split("/")
        for count in range(1, len(parts) + 1):
            part = "/".join(parts[:count])
            absolute = self.root / part
            if absolute.is_symlink() and (reason := self._of_link(part)):
                return reason
            if absolute.exists() and not absolute.is_dir():
                return f"'{part}' is a file, but a folder of {_kind(f'{folder}/')}s belongs there"
        return None

    def _of_link(self, path: str) -> str | None:
        target = (self.root / path).resolve()
        if target.is_relative_to(self.root.resolve()):
            return None
        return f"'{path}' is a link to '{target}', out of the project"


def _kind(path: str) -> str:
    return "kernel" if path.startswith("kernels/") else "generated file"


def other_files(root: Path, emitted: Collection[str], folders: Iterable[str] = (OUTPUT_FOLDER,)) -> Iterator[str]:
    """Yield the files in output folders that are not among ``emitted``, relative to ``root``; links aren't followed."""
    for folder in folders:
        for place, names, files in os.walk(root / folder):
            names[:] = [name for name in names if name != "__pycache__"]
            prefix = Path(place).relative_to(root).as_posix()
            yield from (path for name in files if (path := f"{prefix}/{name}") not in emitted)
