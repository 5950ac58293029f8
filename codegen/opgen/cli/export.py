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
from opgen.integrations.executorch import custom_ops


@click.command
@click.option("--to", "target", cls=Option, type=click.Choice(["executorch"]), required=True, help="Whose format.")
@project_options
@ui_options
@click.pass_context
def command(ctx: click.Context, *, file: Path, target: str, ui: Ui) -> None:  # noqa: ARG001 - there is one so far
    """Print the operators of a library in another project's format. Needs no PyTorch.

    executorch: the YAML of its custom operators, each with its out variant. What has none is said on stderr, and left out.
    """
    checked = check(file)
    if checked.library is None or has_errors(checked.diagnostics):
        report_problems(checked.diagnostics, ui)
        ctx.exit(1)
    text, left_out = custom_ops(checked.library)
    ui.print(text)
    if left_out:
        ui.note(FORMATS["text"](left_out, color=ui.colors(sys.stderr)).rstrip())
