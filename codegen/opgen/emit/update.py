"""Brings a folder up to date with a set of files: compares, locks, compares again, writes."""

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
    """Write the differences below ``root``. If there are none, no lock is taken, so that the folder may be read-only.

    Args:
        files: the files.
        root: the project.
        on_wait: called once, with a text that names the holder of the lock, before waiting.
        force: whether edited and foreign files are overwritten.
        orphans: whether files of opgen in the output folders that are not in ``files`` are removed.

    Returns:
        The comparison, and diagnostics if nothing was written: ``OPG805`` if another process holds the lock.
    """
    comparison = files.compare(root, force=force, orphans=orphans)
    if comparison.diagnostics or not comparison.pending:
        return comparison, comparison.diagnostics
    with exclusive(root, on_wait=on_wait) as locked:
        if locked is not None:
            return comparison, (locked,)
        comparison = files.compare(root, force=force, orphans=orphans)  # another opgen may have written meanwhile
        problem = None if comparison.diagnostics else write(root, comparison.pending)
    return comparison, (*comparison.diagnostics, *([problem] if problem else []))
