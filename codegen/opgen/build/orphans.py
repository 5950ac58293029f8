"""Waits for compilers that outlive the opgen which started them.

If opgen is killed by SIGKILL, its compilers go on, and could overwrite objects of the next build with objects of old
sources. So they inherit a lock, which is released when the last of them has ended.
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
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # released when it is closed
        except OSError as error:
            return isinstance(error, BlockingIOError)
    return False


@contextmanager
def after_orphans(root: Path) -> Iterator[tuple[int, ...]]:
    """Wait until no compiler of an earlier build is running in the project ``root``.

    Yields the file descriptors that processes which start compilers have to inherit; none on Windows. On file systems
    without locks, as some network file systems, it doesn't wait.
    """
    if sys.platform == "win32":
        yield ()
        return
    lock = os.open(root / _LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield (lock,)
        # All compilers have ended here. A server that a launcher has started, as that of sccache, may have inherited
        # the lock too, and would hold it for as long as it runs.
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_UN)
    finally:
        os.close(lock)
