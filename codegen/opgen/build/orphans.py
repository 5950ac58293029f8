"""Compilers that outlive the opgen that started them.

Where opgen is killed outright, its compilers go on, and would write objects of the old sources over those of the next build.
So they hold a lock of their own: it is inherited, and free when the last of them has ended.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opgen.emit.paths import WORK_FOLDER

if sys.platform != "win32":
    import fcntl


_LOCK_FILE = f"{WORK_FOLDER}/compilers.lock"


def orphans_at_work(root: Path) -> bool:
    """Whether ``after_orphans`` would wait."""
    if sys.platform == "win32" or not (root / _LOCK_FILE).is_file():
        return False
    with (root / _LOCK_FILE).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # until it is closed
        except OSError as error:
            return isinstance(error, BlockingIOError)
    return False


@contextmanager
def after_orphans(root: Path) -> Iterator[tuple[int, ...]]:
    """Wait until no compiler of an earlier build is at work in the project ``root``.

    Yields the file descriptors that whatever starts compilers has to inherit; none on Windows. Where a file system has no
    locks, as some of networks and clusters, nothing is waited for.
    """
    if sys.platform == "win32":
        yield ()
        return
    lock = os.open(root / _LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield (lock,)
        # Whoever started compilers has ended. What goes on is no compiler, but what a launcher has left behind: the server
        # of sccache, which would hold the lock for as long as it lives.
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_UN)
    finally:
        os.close(lock)
