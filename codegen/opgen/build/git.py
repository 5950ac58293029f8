"""Files as they were at a commit: read from git's store, without a checkout."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from opgen.diagnostics import Diagnostic
from opgen.source import Source
from opgen.spec.yaml import shown_path
from opgen.spec.yaml.file import decode_source, missing_source


class NoCommitError(Exception):
    """Git knows no such commit, the folder is no repository, or there is no git; the text says which."""


@dataclass(frozen=True)
class Commit:
    """The files of a commit.

    Attributes:
        root: the folder of the repository.
        name: as its user called it, ``main``, ``HEAD~1``.
        id: its hash.
    """

    root: Path
    name: str
    id: str

    @staticmethod
    def of(name: str, folder: Path) -> Commit:
        """Find a commit by what its user calls it.

        Raises:
            NoCommitError: see there.
        """
        root = Path(_git(folder, "rev-parse", "--show-toplevel").decode().strip())
        id_ = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return Commit(root, name, id_.decode().strip())

    @cached_property
    def paths(self) -> frozenset[str]:
        """Every file, relative to the root, with forward slashes."""
        listed = _git(self.root, "ls-tree", "-r", "-z", "--name-only", self.id)
        return frozenset(listed.decode("utf-8", "surrogateescape").split("\0")) - {""}

    def path_of(self, path: Path) -> str:
        """Return the name that git has for a path; one that lies elsewhere keeps its own, which git does not know."""
        absolute = path.parent.resolve() / path.name
        root = self.root.resolve()
        return (absolute.relative_to(root) if absolute.is_relative_to(root) else absolute).as_posix()

    def is_file(self, path: Path) -> bool:
        """Whether there was a file."""
        return self.path_of(path) in self.paths

    def below(self, folder: Path) -> list[Path]:
        """Return the files that a folder had, sorted."""
        prefix = self.path_of(folder)
        inside = (path for path in self.paths if prefix == "." or PurePosixPath(path).is_relative_to(prefix))
        return sorted(self.root.resolve() / path for path in inside)

    def read(self, path: Path, /) -> tuple[Source | None, list[Diagnostic]]:
        """Read a file as ``read_source`` does; it is shown as git writes it, ``main:csrc/ops.cpp``."""
        shown = f"{self.name}:{shown_path(path)}"
        if not self.is_file(path):
            return None, [missing_source(shown)]
        return decode_source(shown, _git(self.root, "cat-file", "blob", f"{self.id}:{self.path_of(path)}"))


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        run = subprocess.run(  # noqa: S603 - git, with arguments that can be no option
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the git that the user has
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise NoCommitError(f"git can't be run: {error.strerror or error}") from None
    if run.returncode:
        message = run.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise NoCommitError(message or "git knows no such commit")
    return run.stdout
