"""``opgen build``. A build with nothing to do imports only what is named at the top here."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from opgen.build import fingerprint
from opgen.build.report import Report, render
from opgen.build.run_ninja import is_up_to_date
from opgen.cli.options import Option, Ui, project_options, python_option, ui_options
from opgen.emit.paths import WORK_FOLDER


@click.command
@click.option("-j", "--jobs", cls=Option, type=click.IntRange(min=1), help="Compilers at a time; ninja's choice else.")
@click.option(
    "--require",
    "required",
    cls=Option,
    multiple=True,
    type=click.Choice(["cuda", "triton"]),
    help="Fail where kernels of this kind can't be built, instead of leaving them out. May be given several times.",
)
@python_option
@project_options
@ui_options
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option, as click passes them
    ctx: click.Context, *, file: Path, jobs: int | None, required: tuple[str, ...], python: str | None, ui: Ui
) -> None:
    """Build a library: check, generate, compile, load, call every op once, and show a table of what was done."""
    _, status = run_build(file, python, jobs, ui, required)
    ctx.exit(status)


def run_build(
    file: Path, python: str | None, jobs: int | None, ui: Ui, required: tuple[str, ...] = ()
) -> tuple[Report | None, int]:
    """Build, print findings and table, and return the report, where something was compiled, and the exit status."""
    report = _stored(file, python, required)
    status = 0
    if report is None:
        report, status = _build(file, python, jobs, required, ui)
    else:
        ui.note("nothing to do")
    if report is not None:
        ui.print(render(report, color=ui.colors(sys.stdout)))
    return report, status


def _stored(file: Path, python: str | None, required: tuple[str, ...]) -> Report | None:
    """Return the report of the last build if nothing has changed since."""
    work = file.parent / WORK_FOLDER
    inputs = fingerprint.unchanged(work, fingerprint.options_of(file.resolve(), python or sys.executable, required))
    if inputs is None or not is_up_to_date(inputs.ninja, file.parent):
        return None
    try:
        return Report.load(work)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _build(
    file: Path, python: str | None, jobs: int | None, required: tuple[str, ...], ui: Ui
) -> tuple[Report | None, int]:
    from opgen.build.driver import Request, build  # noqa: PLC0415 - a build with nothing to do needs none of these
    from opgen.build.progress import Progress  # noqa: PLC0415 - as above
    from opgen.cli.findings import report_problems  # noqa: PLC0415 - as above
    from opgen.diagnostics import has_errors  # noqa: PLC0415 - as above

    progress = Progress(quiet=ui.quiet, terminal=sys.stderr.isatty() and ui.colors(sys.stderr))
    made = build(Request(file, python, jobs, required), progress)
    report_problems(made.diagnostics, ui)
    if ui.verbose and made.log:
        ui.note(made.log)
    return made.report, 2 if made.unable else int(has_errors(made.diagnostics))
