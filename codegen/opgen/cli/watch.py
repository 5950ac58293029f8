"""``opgen build --watch``: build again whenever a file is saved that a build may read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from opgen.emit.paths import OUTPUT_FOLDER, WORK_FOLDER

_SUFFIXES = frozenset(
    {".yaml", ".yml", ".toml", ".j2", ".py", ".c", ".cc", ".cpp", ".cu", ".cuh", ".cxx", ".h", ".hh", ".hpp", ".inc"}
)
_OWN = (OUTPUT_FOLDER, WORK_FOLDER.partition("/")[0])
_LOOK = 300  # milliseconds between polls for changes
_SETTLE = 100  # milliseconds without a change, after which editors and `git checkout` have finished


def is_source(path: Path, root: Path) -> bool:
    """Whether a build of the project in ``root`` may read a file: not if it is hidden, generated or a build output."""
    try:
        parts = path.relative_to(root).parts
    except ValueError:
        return False
    is_hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
    return path.suffix in _SUFFIXES and not is_hidden and parts[0] not in _OWN


def saves(root: Path) -> Iterator[tuple[str, ...]]:
    """Yield an empty tuple at once, and then, each time that changes have settled, the paths of the saved files.

    Files that are saved while the consumer is busy are yielded afterwards. Ends with ``KeyboardInterrupt``.

    Raises:
        click.UsageError: ``watchfiles`` is not installed.
    """
    if find_spec("watchfiles") is None:
        raise click.UsageError('--watch needs watchfiles: pip install "opgen[watch]"')
    from watchfiles import watch  # an optional dependency

    folder = root.resolve()
    has_begun = False
    # The first item comes when the watch is active, so that no later change is missed.
    for changes in watch(
        folder,
        watch_filter=lambda _, path: is_source(Path(path), folder),
        step=_SETTLE,
        rust_timeout=_LOOK,
        yield_on_timeout=True,
        raise_interrupt=True,
    ):
        if changes or not has_begun:
            yield tuple(sorted({Path(path).relative_to(folder).as_posix() for _, path in changes}))
        has_begun = True


def build_on_save(root: Path, build: Callable[[], object], note: Callable[[str], None]) -> None:
    """Build now and after each save, until Ctrl-C."""
    for saved in saves(root):
        if saved:
            shown = ", ".join(saved[:3]) + (f" and {len(saved) - 3} more" if len(saved) > 3 else "")  # noqa: PLR2004 - fits a line
            note(f"\nchanged: {shown}")
        build()
        sys.stdout.flush()
        note("waiting for changes; Ctrl-C ends it")
