"""Shows a comparison as a list, or as a unified diff for ``patch`` and ``git apply``."""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterator

from opgen.emit.file_set import Change, Comparison


def summary(comparison: Comparison) -> str:
    """Return a line for each path that a run would change or refuse."""
    return "".join(
        f"{change.kind.value} {change.path}\n" for change in comparison.changes if change.is_pending or change.problem
    )


def unified(comparison: Comparison) -> str:
    """Return the changes of a run in the format of ``git diff``."""
    return "".join(line for change in comparison.pending for line in _hunks(change))


def _hunks(change: Change) -> Iterator[str]:
    # Without git's header an empty file would not appear in the diff.
    yield f"diff --git a/{change.path} b/{change.path}\n"
    if change.old is None:
        yield "new file mode 100644\n"
    elif change.new is None:
        yield "deleted file mode 100644\n"
    before = "/dev/null" if change.old is None else f"a/{change.path}"
    after = "/dev/null" if change.new is None else f"b/{change.path}"
    for line in difflib.unified_diff(_lines(change.old), _lines(change.new), before, after):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(data: bytes | None) -> list[str]:
    """Split at line feeds only; ``str.splitlines`` would split at form feeds too."""
    return list(io.StringIO((data or b"").decode("utf-8", "replace"), newline="\n"))
