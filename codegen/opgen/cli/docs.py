"""``opgen docs``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from opgen.build.check import check
from opgen.cli.findings import report_problems
from opgen.cli.options import Option, Ui, project_options, ui_options
from opgen.diagnostics import has_errors
from opgen.emit.file_set import FileSet
from opgen.emit.write import write
from opgen.targets.docs import docs_files
from opgen.words import counted


@click.command
@click.argument("output", type=click.Path(file_okay=False, path_type=Path))
@click.option("--index", cls=Option, default="index.md", help="Name of the page that lists all operators.")
@project_options
@ui_options
@click.pass_context
def command(ctx: click.Context, *, file: Path, output: Path, index: str, ui: Ui) -> None:
    """Write a page for each operator, and one that lists them, into the folder OUTPUT of a documentation.

    They are the Markdown pages of `generated/docs/`, for MkDocs, Sphinx with MyST and their like. Pages that stay as they
    were are not touched; a file that is not opgen's is not overwritten. OUTPUT is relative to the current folder.
    """
    checked = check(file)
    if checked.library is None or has_errors(checked.diagnostics):
        report_problems(checked.diagnostics, ui)
        ctx.exit(1)
    pages = tuple(
        replace(page, path=index if page.path.endswith("/README.md") else page.path.rpartition("/")[2])
        for page in docs_files(checked.library)
    )
    comparison = FileSet(pages, file.name, command="opgen docs").compare(output, orphans=False)
    problem = None if comparison.diagnostics else write(output, comparison.pending)
    if refused := [*comparison.diagnostics, *([problem] if problem else [])]:
        report_problems(refused, ui)
        ctx.exit(1)
    ui.note(f"{len(comparison.pending)} of {counted(len(comparison.changes), 'page')} changed")
