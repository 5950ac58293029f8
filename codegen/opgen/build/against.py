"""Reads the two sides of ``opgen breaking``: a declaration, or C++ and Python sources, on disk or at a commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.breaking import Surface
from opgen.breaking.surface import surface_of_library
from opgen.build.check import check
from opgen.build.collect import DECLARATION, Sources, collect, kind_of
from opgen.diagnostics import Diagnostic, Severity
from opgen.records import dataclass
from opgen.source import Location
from opgen.spec.yaml import Read

if TYPE_CHECKING:  # as in opgen.build.lint.run
    from opgen.build.git import Commit


@dataclass(frozen=True)
class Side:
    """One side, read.

    Attributes:
        surface: the ops of the side; ``None`` if nothing could be read.
        errors: mistakes because of which ops may be missing from the surface.
        ops: the locations of whole ops.
        unread: the number of registrations that can't be read.
    """

    surface: Surface | None
    errors: tuple[Diagnostic, ...]
    ops: tuple[Location, ...] = ()
    unread: int = 0


@dataclass(frozen=True)
class Files:
    """The place that a side is read from: the disk, or a commit.

    Attributes:
        is_excluded: tells of files and folders found in folders whether to leave them out.
        define: macros of the build, for C++.
        commit: the commit; ``None`` for the disk.
    """

    is_excluded: Callable[[Path], bool] = lambda _: False
    define: Mapping[str, str] = field(default_factory=dict)
    commit: Commit | None = None

    def collect(self, paths: Sequence[Path]) -> Sources:
        """Sort files, and the files in folders, by kind."""
        if self.commit is None:
            return collect(paths, self.is_excluded)
        found: list[Path] = []
        for path in paths:
            found += [path] if self.commit.is_file(path) else self._below(path, self.commit)
        self.commit.load(found)
        return collect(found)

    def _below(self, folder: Path, commit: Commit) -> Iterable[Path]:
        root = Path(commit.root).resolve() / commit.path_of(folder)
        for path in commit.below(folder):
            inside = path.relative_to(root)
            parts = [root.joinpath(*inside.parts[: end + 1]) for end in range(len(inside.parts))]
            kind = kind_of(path)
            is_read = kind is not None and (kind != "declaration" or path.name == DECLARATION)
            if is_read and not any(map(self.is_excluded, parts)):
                yield path

    def read(self, sources: Sources, read: Read) -> Side:
        """Read a side: the declaration among the sources, or else the registrations in them."""
        if sources.declarations:
            return self._declaration(sources.declarations[0], read)
        return self._registrations(sources, read)

    def _declaration(self, path: Path, read: Read) -> Side:
        checked = check(path, read, self.commit.is_file if self.commit else Path.is_file)
        errors = tuple(one for one in checked.diagnostics if one.severity is Severity.ERROR)
        if checked.library is None:
            return Side(None, errors)
        ops = tuple(op.spec.location for op in checked.library.ops)
        return Side(surface_of_library(checked.library), errors, ops)

    def _registrations(self, sources: Sources, read: Read) -> Side:
        from opgen.breaking.sources import surface_of_sources  # noqa: PLC0415 - only for C++ and Python sources
        from opgen.build.lint.registrations import read_registrations  # noqa: PLC0415 - likewise
        from opgen.rules.registrations.joined import join  # noqa: PLC0415 - likewise

        registrations, _ = read_registrations(sources, self.define, read)
        ops = tuple(definition.location for definition in registrations.definitions)
        return Side(surface_of_sources(join(registrations)), (), ops, len(registrations.unread))
