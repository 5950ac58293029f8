"""``opgen lint``."""

from __future__ import annotations

from pathlib import Path

import click

from opgen.build.check import check
from opgen.cli.findings import report, weighs
from opgen.cli.options import Option, Ui, directory_option, existing, project_folder, ui_options


@click.command
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    cls=Option,
    type=click.Choice(["text", "concise", "json"]),
    default="text",
    help="How findings are shown.",
)
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
    files = [existing(path / "ops.yaml" if path.is_dir() else path) for path in named]
    diagnostics = [diagnostic for file in files for diagnostic in check(file).diagnostics]
    report(diagnostics, ui, format_)
    if not diagnostics:
        ui.note("nothing found")
    ctx.exit(0 if exit_zero else int(weighs(diagnostics)))
