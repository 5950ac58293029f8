"""Bring a folder up to date with a set of files: compare, lock, compare again, write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.emit.file_set import Comparison, FileSet
from opgen.emit.workspace import exclusive
from opgen.emit.write import write


def update(
    files: FileSet,
    root: Path,
    on_wait: Callable[[str], None] = lambda _: None,
    *,
    force: bool = False,
    orphans: bool = True,
) -> tuple[Comparison, tuple[Diagnostic, ...]]:
    """Write what differs below ``root``. Where nothing does, no lock is taken, so the folder may be one that can't be written to.

    Args:
        files: the files.
        root: the project.
        on_wait: told once who holds the lock, before waiting.
        force: whether edited and foreign files are overwritten.
        orphans: whether what is not among the files has to go from the output folder.

    Returns:
        What was compared, and why nothing was written, if so: ``OPG805`` where another process did not let go of the lock.
    """
    comparison = files.compare(root, force=force, orphans=orphans)
    if comparison.diagnostics or not comparison.pending:
        return comparison, comparison.diagnostics
    with exclusive(root, on_wait=on_wait) as locked:
        if locked is not None:
            return comparison, (locked,)
        comparison = files.compare(root, force=force, orphans=orphans)  # another opgen may have written in the meantime
        problem = None if comparison.diagnostics else write(root, comparison.pending)
    return comparison, (*comparison.diagnostics, *([problem] if problem else []))
