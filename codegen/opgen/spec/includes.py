"""Resolves ``include``: a library may include files inside of its own folder, each once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.diagnostics.diagnostic import Note
from opgen.source import Text
from opgen.spec.codes import BAD_INCLUDE
from opgen.spec.yaml import shown_path


class ProjectFiles:
    """The files of a library, in the order in which they were read."""

    def __init__(self, main: Path, is_file: Callable[[Path], bool] = Path.is_file) -> None:
        """Start with the main file; every other file must be inside of its folder, after resolving links."""
        self._is_file = is_file
        self.paths = [main]
        self._root = main.parent
        self._included: dict[Path, Text | None] = {_resolved(main) or main: None}

    def include(self, written: Text, folder: Path) -> tuple[Path | None, list[Diagnostic]]:
        """Return the file that an entry of ``include`` names, or ``None`` and the diagnostics.

        Args:
            written: the entry, a path with forward slashes.
            folder: the folder of the file with the entry.
        """
        path = folder / written.value
        real = _resolved(path)
        notes: tuple[Note, ...] = ()
        if real is None or "\\" in written.value or not real.is_relative_to(self._root.resolve()):
            problem = f"'{written.value}' lies outside of the project, expected a file in '{shown_path(self._root)}'"
        elif real in self._included:
            first = self._included[real]
            problem = f"'{written.value}' is included twice" if first else f"'{written.value}' is the main file"
            notes = (Note("it is included here first", first.locate()),) if first else ()
        elif not self._is_file(path):
            problem = f"there is no file '{written.value}' in '{shown_path(folder)}'"
        else:
            self._included[real] = written
            self.paths.append(path)
            return path, []
        return None, [Diagnostic(BAD_INCLUDE, problem, written.locate(), BAD_INCLUDE.remedy, notes=notes)]


def _resolved(path: Path) -> Path | None:
    """Resolve links; ``None`` for a loop of links or a NUL in the name."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None
