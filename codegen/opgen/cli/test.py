"""``opgen test``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from opgen.cli.build import run_build
from opgen.cli.options import Option, Ui, project_options, python_option, ui_options

_FAILED = 1  # of pytest's exit codes; 0 is success, the others (usage, no tests, a crash) are no findings
_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command(context_settings=_SETTINGS)
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
@click.option("--build/--no-build", cls=Option, default=True, help="Build the library first, or test what is there.")
@python_option
@project_options
@ui_options
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option, as click passes them
    ctx: click.Context, *, file: Path, pytest_args: tuple[str, ...], build: bool, python: str | None, ui: Ui
) -> None:
    """Run the generated tests. From the first word that is no option of opgen on, PYTEST_ARGS go to pytest as they are.

    The exit status is pytest's, mapped: 0 passed, 1 failures, 2 anything else.
    """
    if build and (status := run_build(file, python, None, ui)):
        ctx.exit(status)
    arguments = [*(["-q"] if ui.quiet else []), *(["-v"] if ui.verbose else []), *pytest_args]
    # The tests must neither be collected twice nor see the settings of a pyproject.toml that is the author's.
    run = subprocess.run(  # noqa: S603 - the interpreter and the arguments that the user chose
        [python or sys.executable, "-m", "pytest", *arguments, "generated/tests"], cwd=file.parent, check=False
    )
    ctx.exit(run.returncode if run.returncode in {0, _FAILED} else 2)
