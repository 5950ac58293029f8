"""``opgen emit``."""

from __future__ import annotations

from pathlib import Path

import click

from opgen.cli.findings import report_problems
from opgen.cli.options import Option, Ui, project_options, ui_options
from opgen.diagnostics import has_errors
from opgen.integrations.sources import SourcesRequest, write_sources

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command
@click.argument("output", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--manifest",
    cls=Option,
    type=_FILE,
    help="Write a manifest of inputs, generated files and what to compile and install: `*.cmake`, `CMakeLists.txt`, `meson.build`, else JSON.",
)
@click.option(
    "--stamp",
    cls=Option,
    type=_FILE,
    help="Touch FILE at the end, and list all inputs in FILE.d, as compilers do.",
)
@project_options
@ui_options
@click.pass_context
def command(ctx: click.Context, *, file: Path, output: Path, manifest: Path | None, stamp: Path | None, ui: Ui) -> None:
    """Write what a build system compiles and installs into the folder OUTPUT of its build tree.

    That is `generated/` without tests and documentation, and missing kernel skeletons beside the declaration. Files that
    stay as they were are not touched. Paths are relative to the current folder.
    """
    if output.resolve() == file.parent.resolve():
        raise click.UsageError(
            "OUTPUT is the folder of the declaration, where `opgen generate` writes: name one of the build tree, such as build/ops"
        )
    made = write_sources(SourcesRequest(file, output, manifest, stamp), on_wait=ui.note)
    report_problems(made.diagnostics, ui)
    for path in made.new_kernels:
        ui.note(f"new kernel to write: {path}")
    ctx.exit(2 if made.unable else int(has_errors(made.diagnostics)))
