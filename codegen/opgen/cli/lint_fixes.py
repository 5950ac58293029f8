"""``opgen lint --fix`` and ``--diff``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from opgen.build.lint.fixing import fix
from opgen.build.lint.result import Linted
from opgen.cli.author_files import changes_of, write_changes
from opgen.cli.options import Ui
from opgen.emit.diff import unified
from opgen.emit.file_set import Comparison
from opgen.words import counted


def make_fixes(
    judge: Callable[[Mapping[str, str]], Linted], ui: Ui, *, unsafe: bool, only_show: bool
) -> tuple[Linted, int | None]:
    """Apply fixes, or show them; return the remaining findings, and the exit status if the run ends with that."""
    fixed = fix(judge, unsafe=unsafe)
    changes = changes_of(fixed.texts)
    if only_show:
        ui.print(unified(Comparison(changes, ())))
        return fixed.linted, int(bool(changes))
    if not write_changes(changes, ui):
        return fixed.linted, 2
    if changes:
        ui.note(f"{counted(fixed.count, 'finding')} fixed in {counted(len(changes), 'file')}")
    return fixed.linted, None
