"""``opgen lint``."""

from __future__ import annotations

from pathlib import Path

import click

from opgen.build.check import check
from opgen.cli.findings import report, weighs
from opgen.cli.options import (
    DECLARATION,
    Option,
    Ui,
    directory_option,
    existing,
    format_option,
    project_folder,
    ui_options,
)
from opgen.diagnostics.formats import FORMATS


@click.command
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@format_option(*FORMATS)
@click.option("--exit-zero", cls=Option, is_flag=True, help="Exit with 0 though there are findings.")
@directory_option
@ui_options
@click.pass_context
def command(  # noqa: PLR0913 - click passes each option by name
    ctx: click.Context,
    *,
    paths: tuple[Path, ...],
    format_: str,
    exit_zero: bool,
    directory: Path | None,
    ui: Ui,
) -> None:
    """Check declarations: PATHS are ops.yaml files or folders that hold one; by default that of this folder.

    Reports everything that is wrong, from YAML to contracts, in one run. Infos do not count for the exit status.
    """
    named = [project_folder(directory) / path for path in paths or (Path(),)]
    remedy = "name a declaration, or a folder with an ops.yaml"
    files = [existing(path / DECLARATION if path.is_dir() else path, remedy) for path in named]
    diagnostics = [diagnostic for file in dict.fromkeys(files) for diagnostic in check(file).diagnostics]
    report(diagnostics, ui, format_)
    if not diagnostics:
        ui.note("nothing found")
    ctx.exit(0 if exit_zero else int(weighs(diagnostics)))
