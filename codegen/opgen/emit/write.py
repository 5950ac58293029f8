"""Make the changes of a comparison: all staged first, then moved into place one by one.

A run that is interrupted ends before the first move or after the last one. One that is killed outright leaves every file old
or new, never half; the next run moves the rest, and removes what was staged.
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

    Files whose content stays are not touched, so that their time stamps, which build systems go by, stay as well.

    Args:
        root: the project.
        changes: those of a comparison that are pending; the comparison had no diagnostics.

    Returns:
        Why the system refused; unless it did so while files were moved (they stand in their folders by then, so that
        is improbable), nothing has changed.
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
                    shutil.copymode(place, temporary)  # a script stays executable
        with _uninterrupted():
            for temporary, place in staged:
                os.replace(temporary, place)  # noqa: PTH105 - Path.replace is the same; os.replace says that it is atomic
            for change in changes:
                if change.new is None:
                    _remove(root, change.path)
    except BaseException as error:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            if error.filename is None and staged:  # a write that finds no space names no file
                error.filename = str(staged[-1][1])
            return refused(root, error, "write")
        raise
    return None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C and a request to end wait; Windows knows no such thing."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _remove(root: Path, path: str) -> None:
    """Remove a file and the folders that held nothing else (Python's caches of removed modules are nothing)."""
    place = root / path
    place.unlink(missing_ok=True)
    for folder in list(place.parents)[: len(Path(path).parts) - 1]:
        names = os.listdir(folder)  # noqa: PTH208 - names are all that is asked for
        if names == ["__pycache__"]:
            shutil.rmtree(folder / "__pycache__")
        elif names:
            return
        folder.rmdir()
