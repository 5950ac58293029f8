"""Which files a run of ``opgen lint`` reads, sorted by what they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from opgen.records import dataclass

Kind: TypeAlias = Literal["declaration", "cpp", "python", "native"]

DECLARATION = "ops.yaml"
NATIVE = "native_functions.yaml"
"""PyTorch's own declarations, and those of backends that torchgen serves."""
_SUFFIXES: dict[str, Kind] = {
    **dict.fromkeys((".yaml", ".yml"), "declaration"),
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".cu", ".hip", ".mm", ".h", ".hh", ".hpp", ".cuh", ".inl", ".inc"), "cpp"),
    **dict.fromkeys((".py", ".pyi"), "python"),
}


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of one run, each once; those of one kind are read together, so that rules can join them.

    Attributes:
        declarations: main files, ``ops.yaml``; what they include is theirs.
        cpp: C++ and CUDA.
        python: modules.
        native: files called ``native_functions.yaml``.
    """

    declarations: tuple[Path, ...] = ()
    cpp: tuple[Path, ...] = ()
    python: tuple[Path, ...] = ()
    native: tuple[Path, ...] = ()

    def __len__(self) -> int:
        """How many there are."""
        return len(self.declarations) + len(self.cpp) + len(self.python) + len(self.native)


def kind_of(path: Path) -> Kind | None:
    """Say what a file is by its name; any other YAML that is named is taken for a declaration."""
    return "native" if path.name == NATIVE else _SUFFIXES.get(path.suffix.lower())


def collect(paths: Iterable[Path], is_excluded: Callable[[Path], bool] = lambda _: False) -> Sources:
    """Sort files, and what lies in folders.

    Args:
        paths: existing ones. A file is read whatever its folder, a folder is walked; of YAML only files called
            ``ops.yaml`` or ``native_functions.yaml`` are taken there.
        is_excluded: asked for each file and folder that is met in a folder, not for what ``paths`` name.
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
            if path.is_file():  # no link that leads nowhere, such as an editor's lock, and no pipe
                yield path
