"""The files of one run as a value, and their comparison with the files on disk.

``--check``, ``--diff``, ``--dry-run`` and the writer use the same comparison, so that they always agree.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from enum import Enum
from pathlib import Path, PurePosixPath

from opgen.diagnostics import Code, Diagnostic
from opgen.emit import codes
from opgen.emit.paths import OUTPUT_FOLDER, TEMPORARY_SUFFIX, Obstacles, other_files
from opgen.emit.signature import COMMAND, State, sign, state_of
from opgen.records import dataclass
from opgen.source import Location, Source, Span
from opgen.spec.yaml import shown_path
from opgen.targets.output import OutputFile


class ChangeKind(Enum):
    """The effect of a run on one path; the values are printed by ``--dry-run``."""

    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    ORPHAN = "remove"
    REFUSED = "refuse"
    SKELETON_KEPT = "keep"


@dataclass(frozen=True, slots=True)
class Change:
    """One path below the project.

    Attributes:
        path: the path relative to the project, with forward slashes.
        kind: the effect of the run.
        old: the current content; ``None`` if there is no file, or for a kept skeleton, which isn't read.
        new: the new content; ``None`` if the file is removed.
        problem: the reason why it was refused.
        is_kernel: whether it is a skeleton, which belongs to the author once it is written.
    """

    path: str
    kind: ChangeKind
    old: bytes | None
    new: bytes | None
    problem: Diagnostic | None = None
    is_kernel: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether a run changes the disk for it."""
        return self.kind in {ChangeKind.CREATE, ChangeKind.UPDATE, ChangeKind.ORPHAN}


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes, sorted by path; they must not be made if there are diagnostics."""

    changes: tuple[Change, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes that a run makes on disk."""
        return tuple(change for change in self.changes if change.is_pending)

    @property
    def new_kernels(self) -> tuple[str, ...]:
        """The paths of the skeletons that a run creates."""
        return tuple(change.path for change in self.pending if change.is_kernel)


@dataclass(frozen=True)
class FileSet:
    """All files that the targets have yielded.

    Attributes:
        files: the files in any order, with unique paths.
        source: the name of the declaration, for the ``@generated`` line.
        command: the command that makes the files, for the same line.
        folders: the output folders, in which files of opgen that are not in ``files`` are removed.

    Raises:
        ValueError: a target yielded a path twice, or one that is absolute or leaves the project.
    """

    files: tuple[OutputFile, ...]
    source: str = "ops.yaml"
    folders: tuple[str, ...] = (OUTPUT_FOLDER,)
    command: str = COMMAND

    def __post_init__(self) -> None:
        seen = set()
        for file in self.files:
            parts = PurePosixPath(file.path).parts
            if file.path in seen or file.path.startswith("/") or ".." in parts:
                raise ValueError(f"a target yielded {file.path!r} twice, or it leaves the project")
            seen.add(file.path)

    def compare(self, root: Path, *, force: bool = False, orphans: bool = True) -> Comparison:
        """Compare with the disk below ``root``.

        Args:
            root: the folder that paths are relative to.
            force: whether edited and foreign files are overwritten.
            orphans: whether files of opgen in the output folders that are not among these are removed.
        """
        obstacles = Obstacles(root)
        changes = [self._emitted(root, file, obstacles.of(file.path), force=force) for file in self.files]
        paths = {file.path for file in self.files}
        others = other_files(root, paths, self.folders) if orphans else ()
        changes += [change for path in others if (change := _left_over(root, path, force=force)) is not None]
        changes.sort(key=lambda change: change.path)
        problems = (change.problem for change in changes if change.problem)
        # An obstacle that concerns many files is reported once.
        return Comparison(tuple(changes), tuple(dict.fromkeys([*_collisions(paths), *problems])))

    def _emitted(self, root: Path, file: OutputFile, obstacle: str | None, *, force: bool) -> Change:
        new = file.content.encode("utf-8") if file.once else sign(file.path, file.content, self.source, self.command)
        if obstacle:
            unusable = Diagnostic(codes.UNUSABLE, obstacle, None, help=codes.UNUSABLE.remedy)
            return Change(file.path, ChangeKind.REFUSED, None, new, unusable)
        place = root / file.path
        if not place.exists():
            return Change(file.path, ChangeKind.CREATE, None, new, is_kernel=file.once)
        if file.once:
            return Change(file.path, ChangeKind.SKELETON_KEPT, None, new, is_kernel=True)
        old = place.read_bytes()
        if old == new:
            return Change(file.path, ChangeKind.UNCHANGED, old, new)
        if problem := None if force else _trespass(root, file.path, old):
            return Change(file.path, ChangeKind.REFUSED, old, new, problem)
        return Change(file.path, ChangeKind.UPDATE, old, new)


def _left_over(root: Path, path: str, *, force: bool) -> Change | None:
    """Return the change for a file of an output folder that is not emitted; ``None`` if it isn't opgen's."""
    place = root / path
    if place.name.endswith(TEMPORARY_SUFFIX):
        return Change(path, ChangeKind.ORPHAN, b"", None)
    if place.is_symlink() or not os.access(place, os.R_OK):
        return None
    old = place.read_bytes()
    state = state_of(path, old)
    if state is State.FOREIGN:
        return None
    if state is State.EDITED and not force:
        return Change(path, ChangeKind.REFUSED, old, None, _trespass(root, path, old))
    return Change(path, ChangeKind.ORPHAN, old, None)


def _trespass(root: Path, path: str, old: bytes) -> Diagnostic | None:
    """Return a diagnostic if overwriting would lose an edited or foreign file."""
    if not old:  # a power cut may leave an empty file
        return None
    state = state_of(path, old)
    if state is State.EDITED:
        return _refusal(codes.EDITED, root / path, old, "was generated, then changed by hand")
    if state is State.FOREIGN:
        return _refusal(
            codes.FOREIGN, root / path, old, "stands where a generated file belongs, but opgen did not write it"
        )
    return None


def _refusal(code: Code, path: Path, old: bytes, what: str) -> Diagnostic:
    source = Source(shown_path(path), old.decode("utf-8", "replace"))
    place = Location(source, Span(0, len(source.line(1))))
    return Diagnostic(code, f"'{source.path}' {what}", place, help=code.remedy)


def _collisions(paths: set[str]) -> Iterator[Diagnostic]:
    groups = defaultdict(list)
    for path in sorted(paths):
        groups[path.casefold()].append(path)
    for first, *others in groups.values():
        for other in others:
            message = f"'{first}' and '{other}' differ only in case"
            yield Diagnostic(codes.COLLISION, message, None, help=codes.COLLISION.remedy)
