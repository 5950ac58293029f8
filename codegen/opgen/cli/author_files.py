"""Writing files that are the author's: declarations and sources that ``lint --fix`` and ``fmt`` change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from opgen.cli.findings import report
from opgen.cli.options import Ui
from opgen.emit.file_set import Change, ChangeKind
from opgen.emit.write import write

_BOM = b"\xef\xbb\xbf"


def changes_of(texts: Mapping[str, str]) -> tuple[Change, ...]:
    """Return what new texts change in existing files, by their paths; a byte order mark stays."""
    changes = []
    for path, text in sorted(texts.items()):
        old = Path(path).read_bytes()
        new = (_BOM if old.startswith(_BOM) else b"") + text.encode("utf-8")
        if new != old:
            changes.append(Change(path, ChangeKind.UPDATE, old, new))
    return tuple(changes)


def write_changes(changes: Sequence[Change], ui: Ui) -> bool:
    """Write files, each old or new if the run is killed; say so and return false where the system refuses."""
    # Where a path is a link, what it leads to is written.
    resolved = [Change(str(Path(change.path).resolve()), change.kind, change.old, change.new) for change in changes]
    problem = write(Path(), resolved)
    if problem is not None:
        report([problem], ui)
    return problem is None


def write_texts(texts: Mapping[str, str], ui: Ui) -> bool:
    """Write whole files, whether they exist or not, as `write_changes` does."""
    return write_changes(
        [Change(path, ChangeKind.UPDATE, None, text.encode("utf-8")) for path, text in texts.items()], ui
    )
