"""Writes files of the author, declarations and sources, that ``lint --fix`` and ``fmt`` change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from opgen.cli.findings import report
from opgen.cli.options import Ui
from opgen.emit.file_set import Change, ChangeKind
from opgen.emit.write import write

_BOM = b"\xef\xbb\xbf"


def changes_of(texts: Mapping[str, str]) -> tuple[Change, ...]:
    """Return the changes that new texts, given by path, make in existing files; byte order marks are kept."""
    changes = []
    for path, text in sorted(texts.items()):
        old = Path(path).read_bytes()
        new = (_BOM if old.startswith(_BOM) else b"") + text.encode("utf-8")
        if new != old:
            changes.append(Change(path, ChangeKind.UPDATE, old, new))
    return tuple(changes)


def write_changes(changes: Sequence[Change], ui: Ui) -> bool:
    """Write files atomically; report and return False if the system refuses."""
    # The target of a link is written, not the link.
    resolved = [Change(str(Path(change.path).resolve()), change.kind, change.old, change.new) for change in changes]
    problem = write(Path(), resolved)
    if problem is not None:
        report([problem], ui)
    return problem is None


def write_texts(texts: Mapping[str, str], ui: Ui) -> bool:
    """Write whole files, which need not exist, as `write_changes` does."""
    return write_changes(
        [Change(path, ChangeKind.UPDATE, None, text.encode("utf-8")) for path, text in texts.items()], ui
    )
