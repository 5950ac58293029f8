"""Names sources relative to the folder of the imported file."""

from __future__ import annotations

import os
from pathlib import Path

from opgen.records import dataclass
from opgen.rules.registrations.live import is_live
from opgen.source import Location


@dataclass(frozen=True, slots=True)
class Places:
    """Names files relative to the folder of the new ``ops.yaml``: its text must not depend on where opgen runs."""

    root: Path

    def file(self, path: str) -> str | None:
        """Return the path of a source relative to the folder; ``None`` if it is outside of it."""
        absolute, root = Path(path).absolute(), self.root.absolute()
        if is_live(path) or not absolute.is_relative_to(root):
            return None
        return absolute.relative_to(root).as_posix()

    def __call__(self, location: Location) -> str:
        """Return ``csrc/ops.cpp:12``."""
        path = location.source.path
        if is_live(path):
            return "the live process"
        shown = self.file(path) or Path(os.path.relpath(path, self.root)).as_posix()
        return f"{shown}:{location.start.line}"

    def module(self, path: str) -> str | None:
        """Return the dotted name of a Python source below the folder; packages are folders with ``__init__.py``."""
        if self.file(path) is None or not path.endswith(".py"):
            return None
        file = Path(path).absolute()
        parts = [] if file.stem == "__init__" else [file.stem]
        folder = file.parent
        while (folder / "__init__.py").is_file():
            parts.insert(0, folder.name)
            folder = folder.parent
        return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else None
