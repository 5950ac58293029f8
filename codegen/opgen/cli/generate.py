"""``opgen generate``."""

from __future__ import annotations

from pathlib import Path

import click

from opgen.build.generate import generate
from opgen.cli.findings import report_problems
from opgen.cli.options import Option, Ui, project_options, ui_options
from opgen.diagnostics import has_errors
from opgen.emit.codes import LOCKED
from opgen.emit.diff import summary, unified
from opgen.emit.file_set import ChangeKind, Comparison
from opgen.emit.stray_kernels import stray_kernels
from opgen.emit.update import update
from opgen.words import counted


@click.command
@click.option("--check", cls=Option, is_flag=True, help="Write nothing; exit with 1 if files are stale.")
@click.option("--diff", cls=Option, is_flag=True, help="Write nothing; show what would change as a diff.")
@click.option("--dry-run", cls=Option, is_flag=True, help="Write nothing; list what would change.")
@click.option("--force", cls=Option, is_flag=True, help="Overwrite files that were edited by hand or are not opgen's.")
@project_options
@ui_options
@click.pass_context
def command(ctx: click.Context, *, file: Path, check: bool, diff: bool, dry_run: bool, force: bool, ui: Ui) -> None:
    """Write the generated files of a library.

    Nothing is written unless everything is valid. What opgen wrote before and emits no longer is removed; kernel
    skeletons are written once and never again. A generated file that was edited by hand is refused.
    """
    generated = generate(file)
    if generated.files is None:
        report_problems(generated.diagnostics, ui)
        ctx.exit(1)
    root = file.parent
    if check or diff or dry_run:
        # No warnings are printed, so that the output can be piped to `git apply`.
        comparison = generated.files.compare(root, force=force)
        report_problems(comparison.diagnostics, ui)
        if diff:
            ui.print(unified(comparison))
        if dry_run or (check and not diff):
            ui.print(summary(comparison))
        ctx.exit(int(has_errors(comparison.diagnostics) or (check and bool(comparison.pending))))
    comparison, refused = update(generated.files, root, ui.note, force=force)
    # This only uses the comparison, so it may come after the skeletons were written.
    strays = tuple(stray_kernels(root, comparison))
    report_problems([*generated.diagnostics, *strays, *refused], ui)
    if refused:
        ctx.exit(2 if any(problem.code is LOCKED for problem in refused) else 1)
    for path in comparison.new_kernels:
        ui.note(f"new kernel to write: {path}")
    ui.note(_told(comparison))


def _told(comparison: Comparison) -> str:
    """Count generated files; kernels are their author's, and were named."""
    generated = [change for change in comparison.changes if not change.is_kernel]
    if all(change.kind is ChangeKind.CREATE for change in generated):
        return f"{counted(len(generated), 'file')} written"
    return f"{sum(change.is_pending for change in generated)} of {counted(len(generated), 'file')} changed"
