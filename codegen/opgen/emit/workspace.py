"""The work folder, which is not committed, and the lock that lets one opgen at a time work in a project."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from opgen.diagnostics import Diagnostic
from opgen.emit import codes
from opgen.emit.paths import WORK_FOLDER
from opgen.emit.problems import refused

PATIENCE = 120.0
"""Seconds to wait for another opgen: longer than most builds, shorter than the timeout of CI jobs."""


def work_folder(root: Path) -> Path:
    """Return the work folder, which is created if it is missing, with a ``.gitignore``.

    Raises:
        OSError: it can't be created.
    """
    folder = root / WORK_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_bytes(b"*\n")
    return folder


@contextmanager
def exclusive(
    root: Path, *, patience: float = PATIENCE, on_wait: Callable[[str], None] = lambda _: None
) -> Iterator[Diagnostic | None]:
    """Hold the project's lock. Yields ``None`` once it is held, or a diagnostic if it can't be taken.

    Args:
        root: the project.
        patience: the number of seconds to wait for another process.
        on_wait: called once, with a text that names the holder of the lock, before waiting.
    """
    owner = root / WORK_FOLDER / "lock.json"
    try:
        lock = FileLock(work_folder(root) / "lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            on_wait(f"waiting: {_describe(owner)}")
            lock.acquire(timeout=patience)
    except Timeout:
        yield Diagnostic(codes.LOCKED, _describe(owner), None, help=codes.LOCKED.remedy)
        return
    except OSError as error:
        yield refused(root, error, "use")
        return
    try:
        with contextlib.suppress(OSError):  # the file is only for messages of waiting processes
            owner.write_text(json.dumps({"pid": os.getpid(), "since": time.time()}), encoding="utf-8")
        yield None
    finally:
        with contextlib.suppress(OSError):
            owner.unlink()
        lock.release()


def _describe(owner: Path) -> str:
    """Return a description of the process that holds the lock; it may have ended, or not have written its file yet."""
    try:
        record = json.loads(owner.read_text(encoding="utf-8"))
        who = f"process {int(record['pid'])}, for {max(0.0, time.time() - float(record['since'])):.0f} s"
    except (OSError, ValueError, KeyError, TypeError):
        who = "another process"
    return f"'{WORK_FOLDER}' is in use by another opgen ({who})"
