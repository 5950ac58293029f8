"""Makes the changes of a comparison: all files are staged first, and then moved to their places.

An interrupted run ends before the first move or after the last one. One that is killed by SIGKILL leaves each file
either old or new, never partly written; the next run makes the other changes, and removes staged files.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.emit.file_set import Change
from opgen.emit.paths import TEMPORARY_SUFFIX
from opgen.emit.problems import refused


def write(root: Path, changes: Sequence[Change]) -> Diagnostic | None:
    """Write and remove files below ``root``.

    Unchanged files are not touched, so that their time stamps, on which build systems rely, stay the same.

    Args:
        root: the project.
        changes: the pending changes of a comparison without diagnostics.

    Returns:
        A diagnostic if the system refused a write. Nothing has changed then, unless it refused a move, which is
        improbable, as files are staged in their own folders.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for change in changes:
            if change.new is not None:
                place = root / change.path
                temporary = place.with_name(f".{place.name}{TEMPORARY_SUFFIX}")
                place.parent.mkdir(parents=True, exist_ok=True)
                staged.append((temporary, place))
                temporary.write_bytes(change.new)
                with contextlib.suppress(FileNotFoundError):
                    shutil.copymode(place, temporary)  # keeps scripts executable
        with _uninterrupted():
            for temporary, place in staged:
                os.replace(temporary, place)  # noqa: PTH105 - os.replace is documented as atomic
            for change in changes:
                if change.new is None:
                    _remove(root, change.path)
    except BaseException as error:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            if error.filename is None and staged:  # an error for lack of space has no file name
                error.filename = str(staged[-1][1])
            return refused(root, error, "write")
        raise
    return None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Defer SIGINT and SIGTERM until the end of the block, except on Windows."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _remove(root: Path, path: str) -> None:
    """Remove a file and the folders that are empty then, apart from Python's caches of removed modules."""
    place = root / path
    place.unlink(missing_ok=True)
    for folder in list(place.parents)[: len(Path(path).parts) - 1]:
        names = os.listdir(folder)  # noqa: PTH208 - only names are needed
        if names == ["__pycache__"]:
            shutil.rmtree(folder / "__pycache__")
        elif names:
            return
        folder.rmdir()
