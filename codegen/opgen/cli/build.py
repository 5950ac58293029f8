"""``opgen build``. A build with nothing to do only imports the modules at the top of this file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from opgen.build import fingerprint
from opgen.build.mode import Mode
from opgen.build.report import Report, render
from opgen.build.request import Request
from opgen.build.run_ninja import is_up_to_date
from opgen.cli.options import Option, Ui, build_options, project_options, python_option, ui_options
from opgen.emit.paths import WORK_FOLDER


@click.command
@build_options
@click.option(
    "--require",
    "required",
    cls=Option,
    multiple=True,
    type=click.Choice(["cuda", "triton"]),
    help="Fail if kernels of this kind can't be built, instead of leaving them out. Can be repeated.",
)
@click.option("--watch", cls=Option, is_flag=True, help="Rebuild whenever a source is saved, until Ctrl-C.")
@python_option
@project_options
@ui_options
@click.pass_context
def command(
    ctx: click.Context,
    *,
    file: Path,
    jobs: int | None,
    mode: Mode,
    required: tuple[str, ...],
    watch: bool,
    python: str | None,
    ui: Ui,
) -> None:
    """Build a library: check, generate, compile, load, call every op once, and show a table of what was done."""
    if watch:
        from opgen.cli.watch import build_on_save  # only with `--watch`

        build_on_save(file.parent, lambda: run_build(Request(file, python, jobs, mode, required), ui), ui.note)
    _, status = run_build(Request(file, python, jobs, mode, required), ui)
    ctx.exit(status)


def run_build(request: Request, ui: Ui, *, table: bool = True) -> tuple[Report | None, int]:
    """Build, print findings and perhaps a table; return the report, if something was compiled, and the exit status."""
    report = _stored(request)
    status = 0
    if report is None:
        report, status = _build(request, ui)
    else:
        ui.note("nothing to do")
    if report is not None and table:
        ui.print(render(report, color=ui.colors(sys.stdout)))
    return report, status


def _stored(request: Request) -> Report | None:
    """Return the report of the last build if nothing has changed since."""
    work = request.root / WORK_FOLDER
    inputs = fingerprint.unchanged(work, request.options)
    if inputs is None or not is_up_to_date(inputs.ninja, request.root):
        return None
    try:
        return Report.load(work)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _build(request: Request, ui: Ui) -> tuple[Report | None, int]:
    from opgen.build.driver import build  # not needed if there is nothing to do
    from opgen.build.progress import Progress
    from opgen.cli.findings import report_problems
    from opgen.diagnostics import has_errors

    progress = Progress(quiet=ui.quiet, terminal=sys.stderr.isatty() and ui.colors(sys.stderr))
    made = build(request, progress)
    report_problems(made.diagnostics, ui)
    if ui.verbose and made.log:
        ui.note(made.log)
    return made.report, 2 if made.unable else int(has_errors(made.diagnostics))
