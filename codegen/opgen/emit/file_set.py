"""The files of one run as a value, and their comparison with what stands on the disk.

``--check``, ``--diff``, ``--dry-run`` and the writer read the same comparison, so that none can disagree with another.
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
    """What a run does to one path; the values are what ``--dry-run`` prints."""

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
        path: relative to the project, with forward slashes.
        old: what stands there, ``None`` for nothing. Of a kept skeleton it is not read.
        new: what should, ``None`` for nothing.
        problem: why it was refused.
        is_kernel: whether it is the author's once it stands there.
    """

    path: str
    kind: ChangeKind
    old: bytes | None
    new: bytes | None
    problem: Diagnostic | None = None
    is_kernel: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether a run touches the disk for it."""
        return self.kind in {ChangeKind.CREATE, ChangeKind.UPDATE, ChangeKind.ORPHAN}


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes, sorted by path, and the reasons why they must not be made, if any."""

    changes: tuple[Change, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes that touch the disk."""
        return tuple(change for change in self.changes if change.is_pending)

    @property
    def new_kernels(self) -> tuple[str, ...]:
        """The paths of the skeletons that are written, for their author to fill in."""
        return tuple(change.path for change in self.pending if change.is_kernel)


@dataclass(frozen=True)
class FileSet:
    """Every file that the targets yielded.

    Attributes:
        files: in any order; a path occurs once.
        source: the name of the declaration, for the ``@generated`` line.
        command: what makes the files, likewise.
        folders: where nothing of opgen's may stand but these.

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
            orphans: whether the output folder is opgen's there, so that what is not among the files has to go.
        """
        obstacles = Obstacles(root)
        changes = [self._emitted(root, file, obstacles.of(file.path), force=force) for file in self.files]
        paths = {file.path for file in self.files}
        others = other_files(root, paths, self.folders) if orphans else ()
        changes += [change for path in others if (change := _left_over(root, path, force=force)) is not None]
        changes.sort(key=lambda change: change.path)
        problems = (change.problem for change in changes if change.problem)
        # One folder in the way stops many files, and is said once.
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
    """Judge a file of an output folder that is not emitted; ``None`` where it is none of opgen's."""
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
    """Say whose work would be lost by overwriting, if anybody's: an empty file, which a lost power supply leaves, is none."""
    if not old:
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
