"""The C++ of a library in another tree, where all that is included ends in ``.h``: kernel-builder compiles the rest."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from opgen.targets.cpp.library import INCLUDE_FOLDER

FOLDER = "csrc"
"""Where it goes; its includes are relative to that."""

_QUOTED = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]+)"', re.MULTILINE)


def placed(path: str, *, is_compiled: bool) -> str:
    """Return where a file goes; one that is included is a header, whatever it was called."""
    place = f"{FOLDER}/{path.removeprefix(f'{INCLUDE_FOLDER}/')}"
    return place if is_compiled or place.endswith(".h") else f"{place}.h"


def sources(units: Iterable[str], generated: Mapping[str, str], root: Path) -> Mapping[str, str]:
    """Return the files that units are made of, place -> text: units and headers, and what these include of the project.

    Args:
        units: the paths of files to compile.
        generated: path -> text.
        root: the folder of ``ops.yaml``.
    """

    def read(path: str) -> str | None:
        if path in generated:
            return generated[path]
        file = root / path
        is_own = file.is_file() and file.resolve().is_relative_to(root.resolve())
        return file.read_text(encoding="utf-8", errors="replace") if is_own else None

    compiled = set(units)
    waiting = [*compiled, *(path for path in generated if path.startswith(INCLUDE_FOLDER) and path.endswith(".h"))]
    found: dict[str, str] = {}
    while waiting:
        path = waiting.pop()
        place, text = placed(path, is_compiled=path in compiled), read(path)
        if place in found or text is None:
            continue
        waiting += [include for _, include in _includes(path, text, read)]
        found[place] = _moved(path, text, read)
    return found


def _includes(path: str, text: str, read: Callable[[str], str | None]) -> Iterator[tuple[str, str]]:
    """Yield what stands between quotes, and the file of the project that it is."""
    for match in _QUOTED.finditer(text):
        for folder in (posixpath.dirname(path), ""):
            file = posixpath.normpath(posixpath.join(folder, match[2]))
            if not file.startswith("..") and read(file) is not None:
                yield match[2], file
                break


def _moved(path: str, text: str, read: Callable[[str], str | None]) -> str:
    names = {
        written: placed(file, is_compiled=False).removeprefix(f"{FOLDER}/")
        for written, file in _includes(path, text, read)
    }
    return _QUOTED.sub(lambda match: f'{match[1]}"{names.get(match[2], match[2])}"', text)
