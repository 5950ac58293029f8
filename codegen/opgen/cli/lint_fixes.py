"""``opgen lint --fix`` and ``--diff``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from opgen.build.lint.fixing import Fixed, fix
from opgen.build.lint.result import Linted
from opgen.cli.findings import counted, report
from opgen.cli.options import Ui
from opgen.emit.diff import unified
from opgen.emit.file_set import Change, ChangeKind, Comparison
from opgen.emit.write import write

_BOM = b"\xef\xbb\xbf"


def make_fixes(
    judge: Callable[[Mapping[str, str]], Linted], ui: Ui, *, unsafe: bool, only_show: bool
) -> tuple[Linted, int | None]:
    """Fix, then return what is still found, and the exit status where there is nothing more to say."""
    fixed = fix(judge, unsafe=unsafe)
    changes = _changes(fixed)
    if only_show:
        ui.print(unified(Comparison(changes, ())))
        return fixed.linted, int(bool(changes))
    if not _write(changes, ui):
        return fixed.linted, 2
    if changes:
        ui.note(f"{counted(fixed.count, 'finding')} fixed in {counted(len(changes), 'file')}")
    return fixed.linted, None


def write_texts(texts: Mapping[str, str], ui: Ui) -> bool:
    """Write whole files, each old or new if the run is killed; say so and return false where the system refuses."""
    return _write(
        tuple(Change(path, ChangeKind.UPDATE, None, text.encode("utf-8")) for path, text in texts.items()), ui
    )


def _changes(fixed: Fixed) -> tuple[Change, ...]:
    changes = []
    for path, text in sorted(fixed.texts.items()):
        old = Path(path).read_bytes()
        new = (_BOM if old.startswith(_BOM) else b"") + text.encode("utf-8")
        if new != old:
            changes.append(Change(path, ChangeKind.UPDATE, old, new))
    return tuple(changes)


def _write(changes: tuple[Change, ...], ui: Ui) -> bool:
    # Where a path is a link, what it leads to is written.
    resolved = [Change(str(Path(change.path).resolve()), change.kind, change.old, change.new) for change in changes]
    problem = write(Path(), resolved)
    if problem is not None:
        report([problem], ui)
    return problem is None
