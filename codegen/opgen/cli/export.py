"""``opgen export``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from opgen.build.check import check
from opgen.cli.findings import report_problems
from opgen.cli.options import Option, Ui, project_options, ui_options
from opgen.diagnostics import has_errors
from opgen.diagnostics.formats import FORMATS
from opgen.emit.codes import LOCKED
from opgen.emit.update import update
from opgen.integrations.executorch import custom_ops
from opgen.integrations.kernel_builder.project import About, kernel_project


@click.command
@click.option(
    "--to",
    "target",
    cls=Option,
    type=click.Choice(["executorch", "kernel-builder"]),
    required=True,
    help="The format to write.",
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@click.option(
    "--license", "license_", cls=Option, default="other", help="kernel-builder: the license's identifier on the Hub."
)
@click.option("--version", cls=Option, type=click.IntRange(1), default=1, help="kernel-builder: version of the kernel.")
@click.option(
    "--repository", cls=Option, default="", metavar="OWNER/NAME", help="kernel-builder: the repository to upload to."
)
@click.option("--force", cls=Option, is_flag=True, help="kernel-builder: overwrite edited and foreign files.")
@project_options
@ui_options
@click.pass_context
def command(
    ctx: click.Context,
    *,
    file: Path,
    target: str,
    folder: Path | None,
    license_: str,
    version: int,
    repository: str,
    force: bool,
    ui: Ui,
) -> None:
    """Write the operators of a library in another project's format. Needs no PyTorch.

    executorch: print the YAML of its custom operators, each with its out variant. What has none is said on stderr, and left out.

    kernel-builder: fill FOLDER with a project of Hugging Face's kernel-builder, kernels included.
    """
    if (folder is None) == (target == "kernel-builder"):
        raise click.UsageError(f"--to {target} {'needs a' if folder is None else 'takes no'} FOLDER to write to")
    if folder is None:
        _print_custom_ops(ctx, file, ui)
    else:
        _write_project(ctx, file, folder, About(license_, version, repository), force=force, ui=ui)


def _print_custom_ops(ctx: click.Context, file: Path, ui: Ui) -> None:
    checked = check(file)
    if checked.library is None or has_errors(checked.diagnostics):
        report_problems(checked.diagnostics, ui)
        ctx.exit(1)
    text, left_out = custom_ops(checked.library)
    ui.print(text)
    if left_out:
        ui.note(FORMATS["text"](left_out, color=ui.colors(sys.stderr)).rstrip())


def _write_project(ctx: click.Context, file: Path, folder: Path, about: About, *, force: bool, ui: Ui) -> None:
    files, found = kernel_project(file, about)
    if files is not None:
        found += update(files, folder, ui.note, force=force)[1]
    report_problems(found, ui)
    is_locked = any(finding.code is LOCKED for finding in found)
    ctx.exit(2 if is_locked else int(has_errors(found)))
