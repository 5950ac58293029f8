"""The options that several commands share."""

from __future__ import annotations

import functools
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TextIO

import click

from opgen.build.jobs import JOBS_VARIABLES
from opgen.build.mode import LAUNCHER_VARIABLES, SANITIZERS, Mode
from opgen.records import dataclass

DECLARATION = "ops.yaml"


class Option(click.Option):
    """An option whose environment variable is shown in ``--help``."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"show_envvar": True, **settings})


@dataclass(frozen=True, slots=True)
class Ui:
    """The options for output: ``--color``, ``--quiet`` and ``--verbose``."""

    color: Literal["auto", "always", "never"]
    quiet: bool
    verbose: bool

    def colors(self, stream: TextIO) -> bool:
        """Whether to colour output to ``stream``; ``--color`` overrides NO_COLOR, which overrides FORCE_COLOR."""
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR"):
            return True
        return stream.isatty() and os.environ.get("TERM") != "dumb"

    def columns(self, stream: TextIO) -> int:
        """Return the width of the terminal of ``stream``; 0 if it is no terminal, or if the width isn't known."""
        try:
            return os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):  # no terminal, or no file at all
            return 0

    def print(self, text: str) -> None:
        """Write findings and results to stdout."""
        sys.stdout.write(text)

    def note(self, text: str) -> None:
        """Print one sentence to stderr, unless ``--quiet`` is given."""
        if not self.quiet:
            click.echo(text, err=True)


def ui_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--color``, ``-q`` and ``-v``; the function gets them as ``ui``."""

    @click.option(
        "--color",
        cls=Option,
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        envvar="OPGEN_COLOR",
        help="When to colour the output.",
    )
    @click.option("-q", "--quiet", cls=Option, is_flag=True, envvar="OPGEN_QUIET", help="No progress on stderr.")
    @click.option("-v", "--verbose", cls=Option, is_flag=True, envvar="OPGEN_VERBOSE", help="Print more details.")
    @functools.wraps(function)
    def wrapper(*args: Any, color: Literal["auto", "always", "never"], quiet: bool, verbose: bool, **rest: Any) -> Any:
        return function(*args, ui=Ui(color, quiet, verbose), **rest)

    return wrapper


def directory_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``-C``, which is accepted before a command, as by ``git`` and ``make``, and after it."""
    return click.option(
        "-C",
        "--directory",
        cls=Option,
        type=click.Path(path_type=Path),
        envvar="OPGEN_DIRECTORY",
        help="The project's folder; by default the current one.",
    )(function)


def format_option(*formats: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--format`` with these choices, the first one by default; the function gets it as ``format_``."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        # Click derives the environment variable from the parameter's name, which so has no underscore.
        @click.option(
            "--format",
            cls=Option,
            type=click.Choice(formats),
            default=formats[0],
            help="Output format.",
        )
        @functools.wraps(function)
        def wrapper(*args: Any, **rest: Any) -> Any:
            return function(*args, format_=rest.pop("format"), **rest)

        return wrapper

    return decorate


def project_folder(directory: Path | None) -> Path:
    """Return the folder of ``-C``, after the command or before it, or else the current one."""
    before_verb: Path | None = click.get_current_context().obj
    return directory or before_verb or Path()


def project_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``-C`` and ``--file``; the function gets the declaration's path as ``file``. Its folder is the project."""

    @directory_option
    @click.option(
        "--file",
        cls=Option,
        type=click.Path(path_type=Path),
        default=Path(DECLARATION),
        envvar="OPGEN_FILE",
        help="The declaration, relative to the project's folder; output goes to the declaration's folder.",
    )
    @functools.wraps(function)
    def wrapper(*args: Any, directory: Path | None, file: Path, **rest: Any) -> Any:
        return function(
            *args, file=existing(project_folder(directory) / file, "name the declaration by -C or --file"), **rest
        )

    return wrapper


python_option = click.option(
    "--python",
    cls=Option,
    envvar="OPGEN_PYTHON",
    metavar="PROGRAM",
    help="The interpreter that has PyTorch and imports the library; by default the one that runs opgen.",
)


def build_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for compiling kernels; the function gets them as ``jobs`` and ``mode``."""

    @click.option(
        "-j",
        "--jobs",
        cls=Option,
        envvar=list(JOBS_VARIABLES),
        type=click.IntRange(min=1),
        help="Number of parallel compilers; by default limited by processors and memory.",
    )
    @click.option(
        "--launcher",
        cls=Option,
        envvar=list(LAUNCHER_VARIABLES),
        default="",
        show_default=False,
        metavar="COMMAND",
        help="Start compilers through a program: ccache, sccache, distcc, icecc.",
    )
    @click.option("--debug", cls=Option, envvar="OPGEN_DEBUG", is_flag=True, help="Compile for a debugger: -g -O0.")
    @click.option(
        "--sanitize",
        cls=Option,
        envvar="OPGEN_SANITIZE",
        callback=_sanitizers,
        metavar="NAMES",
        default="",
        show_default=False,
        help=f"Build with sanitizers: {', '.join(SANITIZERS)}; separate several with commas.",
    )
    @click.option(
        "--coverage",
        cls=Option,
        envvar="OPGEN_COVERAGE",
        is_flag=True,
        help="Count which lines of kernels run, for gcov.",
    )
    @functools.wraps(function)
    def wrapper(*args: Any, debug: bool, sanitize: tuple[str, ...], coverage: bool, launcher: str, **rest: Any) -> Any:
        return function(*args, mode=Mode(debug, sanitize, coverage, launcher), **rest)

    return wrapper


def _sanitizers(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:  # noqa: ARG001 - click's signature
    """Split names of sanitizers at commas.

    Raises:
        click.BadParameter: a name is unknown, or two sanitizers exclude each other.
    """
    names = tuple(name for name in value.split(",") if name)
    for name in names:
        if name not in SANITIZERS:
            raise click.BadParameter(f"'{name}' is no sanitizer, expected {', '.join(SANITIZERS)}")
    if "thread" in names and {"address", "leak"} & set(names):
        raise click.BadParameter("'thread' can't be combined with 'address' or 'leak'")
    return names


modules_option = click.option(
    "--module",
    "modules",
    cls=Option,
    multiple=True,
    metavar="NAME",
    help="Import a module and read its registrations. Can be repeated.",
)


def existing(file: Path, remedy: str) -> Path:
    """Return a declaration's path, after checking that it is a file.

    Raises:
        click.UsageError: it doesn't exist, or is a folder. The message ends in ``remedy``, or names a declaration
        above.
    """
    if file.is_dir():
        raise click.UsageError(f"'{file.as_posix()}' is a folder, expected a declaration; {remedy}")
    if not file.exists():
        raise click.UsageError(f"there is no '{file.as_posix()}'; {_found_above(file) or remedy}")
    return file


def _found_above(file: Path) -> str:
    """Return a remedy that names a project in a folder above a missing ``ops.yaml``; empty if there is none."""
    above = (folder for folder in file.absolute().parents[1:] if (folder / DECLARATION).is_file())
    project = next(above, None) if file.name == DECLARATION and file.parent.is_dir() else None
    if project is None:
        return ""
    shown = Path(os.path.relpath(project))
    return f"found '{(shown / DECLARATION).as_posix()}': run with `-C {shlex.quote(shown.as_posix())}`"
