"""``opgen test``."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from opgen.build.mode import Mode
from opgen.build.request import Request
from opgen.build.toolchain import find_compiler, find_test_python, has_xdist
from opgen.cli.build import run_build
from opgen.cli.findings import report_problems
from opgen.cli.options import Option, Ui, build_options, project_options, python_option, ui_options
from opgen.diagnostics import Diagnostic
from opgen.spec.yaml import shown_path

_TESTS = "generated/tests"
_FAILED = 1  # pytest's exit code for failed tests; others but 0 mean wrong usage, no tests or a crash
_MOST_PROCESSES = 8  # each imports torch and its compiler first
_OWN_DISTRIBUTION = re.compile(r"-n|--numprocesses|--dist|-p(?:no:)?xdist|-s$|--capture=no|--pdb|--trace$")
_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command(context_settings=_SETTINGS)
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--build/--no-build", cls=Option, default=True, help="Build the library first, or test the existing build."
)
@click.option("--thorough", cls=Option, is_flag=True, help="Compile and export every sample, and draw more of them.")
@click.option(
    "--aoti", cls=Option, is_flag=True, help="Also compile a model of each op ahead of time with AOTInductor."
)
@build_options
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
    pytest_args: tuple[str, ...],
    build: bool,
    thorough: bool,
    aoti: bool,
    python: str | None,
    ui: Ui,
) -> None:
    """Build, then run the generated tests, also where a first call failed: they say more about it.

    From the first word on that is no option of opgen, PYTEST_ARGS go to pytest as they are; without a path among them
    all generated tests run. Paths are relative to the project. With pytest-xdist they run in several processes, unless
    PYTEST_ARGS say how (`-n 0`: in one). The exit status is pytest's, mapped: 0 passed, 1
    failures, 2 anything else.
    """
    root = file.parent
    interpreter = find_test_python(python)
    if not isinstance(interpreter, str):
        report_problems(interpreter, ui)
        ctx.exit(2)
    if build:
        report, status = run_build(Request(file, python, jobs, mode), ui)
        if report is None or not report.linked:
            ctx.exit(status)
    flags = [*(["-q"] if ui.quiet else []), *(["-v"] if ui.verbose else [])]
    paths = [word for word in pytest_args if not word.startswith("-") and (root / word.partition("::")[0]).exists()]
    if not paths and not (root / _TESTS).is_dir():
        raise click.UsageError(
            f"there are no generated tests in '{shown_path(root / _TESTS)}'; `opgen generate` writes them"
        )
    flags += [*(["--thorough"] if thorough else []), *(["--aoti"] if aoti else [])]
    flags += _distribution(interpreter, pytest_args, paths)
    arguments = [*flags, *pytest_args, *([] if paths else [_TESTS])]
    compiler = find_compiler() if mode.sanitize else ()
    environment = {} if isinstance(compiler, Diagnostic) else mode.environment(compiler)
    run = subprocess.run(  # noqa: S603 - the user's interpreter and arguments
        [interpreter, "-m", "pytest", *arguments], cwd=root, env={**os.environ, **environment}, check=False
    )
    ctx.exit(run.returncode if run.returncode in {0, _FAILED} else 2)


def _distribution(interpreter: str, pytest_args: Sequence[str], paths: Sequence[str]) -> Iterator[str]:
    """Yield the options that distribute tests over processes, if that is worthwhile and PYTEST_ARGS don't set it."""
    words = [*pytest_args, *("".join(pair) for pair in itertools.pairwise(pytest_args))]
    processes = min(os.cpu_count() or 1, _MOST_PROCESSES)
    is_one_test = any("::" in path for path in paths)
    if processes > 1 and not is_one_test and not any(map(_OWN_DISTRIBUTION.match, words)) and has_xdist(interpreter):
        yield from ("-n", str(processes), "--dist", "worksteal")
