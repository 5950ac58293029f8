"""Collects the files that a run of ``opgen lint`` reads, by kind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from opgen.records import dataclass

Kind: TypeAlias = Literal["declaration", "cpp", "python", "native"]

DECLARATION = "ops.yaml"
NATIVE = "native_functions.yaml"
"""The name of PyTorch's own declarations, and of those of out-of-tree backends that use torchgen."""
_SUFFIXES: dict[str, Kind] = {
    **dict.fromkeys((".yaml", ".yml"), "declaration"),
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".cu", ".hip", ".mm", ".h", ".hh", ".hpp", ".cuh", ".inl", ".inc"), "cpp"),
    **dict.fromkeys((".py", ".pyi"), "python"),
}


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of one run, each once; those of one kind are read together, so that rules can join them.

    Attributes:
        declarations: the main files, ``ops.yaml``, without the files that they include.
        cpp: C++ and CUDA files.
        python: Python modules.
        native: files named ``native_functions.yaml``.
    """

    declarations: tuple[Path, ...] = ()
    cpp: tuple[Path, ...] = ()
    python: tuple[Path, ...] = ()
    native: tuple[Path, ...] = ()

    def __len__(self) -> int:
        """The number of files."""
        return len(self.declarations) + len(self.cpp) + len(self.python) + len(self.native)


def kind_of(path: Path) -> Kind | None:
    """Return the kind of a file by its name; any YAML file but ``native_functions.yaml`` counts as a declaration."""
    return "native" if path.name == NATIVE else _SUFFIXES.get(path.suffix.lower())


def collect(paths: Iterable[Path], is_excluded: Callable[[Path], bool] = lambda _: False) -> Sources:
    """Sort files, and the files in folders, by kind.

    Args:
        paths: existing files and folders. Folders are searched recursively; of YAML files in them only those named
            ``ops.yaml`` or ``native_functions.yaml`` are taken.
        is_excluded: tells of each file and folder found in a folder whether to leave it out; not called for ``paths``.
    """
    found: dict[Kind, dict[Path, None]] = {"declaration": {}, "cpp": {}, "python": {}, "native": {}}
    for path in paths:
        for file in _walk(path, is_excluded) if path.is_dir() else (path,):
            if kind := kind_of(file):
                found[kind][file] = None
    return Sources(*map(tuple, found.values()))


def _walk(folder: Path, is_excluded: Callable[[Path], bool]) -> Iterator[Path]:
    for name, folders, files in os.walk(folder):
        here = Path(name)
        folders[:] = sorted(each for each in folders if not is_excluded(here / each))
        for file in sorted(files):
            path = here / file
            kind = kind_of(path)
            if not kind or (kind == "declaration" and file != DECLARATION) or is_excluded(path):
                continue
            if path.is_file():  # neither a dangling link, such as an editor's lock, nor a pipe
                yield path
