"""``opgen init``."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from opgen.cli.findings import report_problems
from opgen.cli.options import Option, Ui, directory_option, project_folder, ui_options
from opgen.emit.file_set import ChangeKind, FileSet
from opgen.emit.write import write
from opgen.scaffold.library import NewLibrary, library_files, namespace_for, why_no_name


@click.command
@click.argument("folder", type=click.Path(path_type=Path), default=Path(), metavar="[DIR]")
@click.option(
    "--name", cls=Option, help="The library's namespace, torch.ops.NAME; by default made of the folder's name."
)
@directory_option
@ui_options
@click.pass_context
def command(ctx: click.Context, *, folder: Path, name: str | None, directory: Path | None, ui: Ui) -> None:
    """Write a new library into DIR: it builds and tests at once, and has an op of each contract to learn from.

    Nothing is overwritten: where any of its files exists, nothing is written.
    """
    root = project_folder(directory) / folder
    namespace = namespace_for(root.resolve().name) if name is None else name
    if reason := why_no_name(namespace):
        raise click.UsageError(f"the library can't be called '{namespace}', which {reason}; choose a name by --name")
    comparison = FileSet(tuple(library_files(NewLibrary(namespace)))).compare(root)
    existing = [change.path for change in comparison.changes if change.kind is ChangeKind.SKELETON_KEPT]
    if existing:
        listing = ", ".join(f"'{path}'" for path in existing)
        raise click.UsageError(f"'{root.as_posix()}' already holds {listing}; choose another folder")
    problem = None if comparison.diagnostics else write(root, comparison.pending)
    if refused := [*comparison.diagnostics, *([problem] if problem else [])]:
        report_problems(refused, ui)
        ctx.exit(1)
    shown = Path(os.path.relpath(root)).as_posix()
    change_folder = "" if shown == "." else f"cd {shlex.quote(shown)} && "
    ui.note(f"{len(comparison.pending)} files written; next: {change_folder}opgen build && opgen test")
