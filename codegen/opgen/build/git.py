"""Reads files as they were at a commit from git's object store, without a checkout."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import field
from functools import cached_property
from pathlib import Path, PurePosixPath

from opgen.diagnostics import Diagnostic
from opgen.records import dataclass
from opgen.source import Source
from opgen.spec.yaml import shown_path
from opgen.spec.yaml.file import decode_source, missing_source

_WORDS = 3  # in the line in front of a file's content: `HASH blob SIZE`


class NoCommitError(Exception):
    """There is no such commit, the folder is no repository, or git is not installed; the text says which."""


@dataclass(frozen=True)
class Commit:
    """The files of a commit.

    Attributes:
        root: the folder of the repository.
        name: the name that the user has given: ``main``, ``HEAD~1``.
        id: its hash.
    """

    root: Path
    name: str
    id: str
    _contents: dict[str, bytes] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(name: str, folder: Path) -> Commit:
        """Find a commit by its name in the repository of a folder.

        Raises:
            NoCommitError: there is no such commit, no repository, or no git.
        """
        root = Path(_git(folder, "rev-parse", "--show-toplevel").decode().strip())
        try:
            id_ = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except NoCommitError as error:
            is_shallow = _git(root, "rev-parse", "--is-shallow-repository").strip() == b"true"
            more = "; this clone is shallow, as in many CI jobs: `git fetch --unshallow --tags` brings the rest"
            raise NoCommitError(f"{error}{more * is_shallow}") from None
        return Commit(root, name, id_.decode().strip())

    @cached_property
    def _objects(self) -> Mapping[str, str]:
        """Path of each file, relative to the root and with forward slashes -> its hash."""
        lines = _git(self.root, "ls-tree", "-r", "-z", self.id).decode("utf-8", "surrogateescape").split("\0")
        entries = (line.partition("\t") for line in lines if line)
        return {path: words.split()[2] for words, _, path in entries if " blob " in words}

    @property
    def paths(self) -> AbstractSet[str]:
        """Every file, relative to the root."""
        return self._objects.keys()

    def path_of(self, path: Path) -> str:
        """Return a path as git names it; a path outside of the repository is returned unchanged, and unknown to git."""
        absolute = path.parent.resolve() / path.name
        root = self.root.resolve()
        return (absolute.relative_to(root) if absolute.is_relative_to(root) else absolute).as_posix()

    def is_file(self, path: Path) -> bool:
        """Whether a path was a file at this commit."""
        return self.path_of(path) in self.paths

    def below(self, folder: Path) -> list[Path]:
        """Return the files below a folder at this commit, sorted."""
        prefix = self.path_of(folder)
        inside = (path for path in self.paths if prefix == "." or PurePosixPath(path).is_relative_to(prefix))
        return sorted(self.root.resolve() / path for path in inside)

    def read(self, path: Path, /) -> tuple[Source | None, list[Diagnostic]]:
        """Read a file as ``read_source`` does; its shown path is as in git, ``main:csrc/ops.cpp``."""
        shown = f"{self.name}:{shown_path(path)}"
        name = self.path_of(path)
        if name not in self._contents:
            self.load([path])
        content = self._contents.get(name)
        return (None, [missing_source(shown)]) if content is None else decode_source(shown, content)

    def load(self, paths: Iterable[Path]) -> None:
        """Fetch files that are going to be read with a single git process, since a library has hundreds."""
        names = [name for path in paths if (name := self.path_of(path)) in self.paths]
        objects = "".join(f"{self._objects[name]}\n" for name in names)
        answer = _git(self.root, "cat-file", "--batch", stdin=objects.encode())
        start = 0
        for name in names:  # `HASH blob SIZE`, the content, a line break
            end = answer.index(b"\n", start)
            words = answer[start:end].split()
            start = end + 1
            if len(words) == _WORDS:  # else it is missing in a partial clone
                size = int(words[-1])
                self._contents[name] = answer[start : start + size]
                start += size + 1


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    try:
        run = subprocess.run(  # noqa: S603 - git, with arguments that can't be taken for options
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - the user's git
            input=stdin,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise NoCommitError(f"git can't be run: {error.strerror or error}") from None
    if run.returncode:
        message = run.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise NoCommitError(message or "git knows no such commit")
    return run.stdout
