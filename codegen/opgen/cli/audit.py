"""``opgen audit``."""

from __future__ import annotations

from pathlib import Path

import click

from opgen.audit.artifact import Artifact, read_artifact
from opgen.audit.judge import judge
from opgen.audit.show import json_object, text
from opgen.cli.findings import report
from opgen.cli.options import Ui, format_option, ui_options
from opgen.diagnostics import has_errors


@click.command
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@format_option("text", "json")
@ui_options
@click.pass_context
def command(ctx: click.Context, *, file: Path, format_: str, ui: Ui) -> None:
    """Show what a shared library or a wheel needs: the oldest torch, Python, glibc; and which kernels it holds.

    FILE is a .so or a .whl, of opgen or not; nothing of it is run. Exits with 1 if the metadata of a wheel claims anything
    that is not true, or if binaries and package don't belong together.
    """
    artifact = read_artifact(file)
    if not isinstance(artifact, Artifact):
        report([artifact], ui)
        ctx.exit(2)
    findings = list(judge(artifact))
    if format_ == "json":
        ui.print(json_object(artifact, findings))
    else:
        ui.print(text(artifact))
        if findings:
            ui.print("\n")
            report(findings, ui)
    ctx.exit(int(has_errors(findings)))
