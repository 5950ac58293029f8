"""``opgen import``."""

from __future__ import annotations

import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from opgen.build.collect import Sources, collect, kind_of
from opgen.build.config.settings import Settings
from opgen.build.globs import excluder
from opgen.build.lint.live import module_findings
from opgen.build.lint.registrations import read_registrations
from opgen.cli.author_files import write_texts
from opgen.cli.findings import report
from opgen.cli.lint_settings import Given, define_option, resolve
from opgen.cli.options import (
    DECLARATION,
    Option,
    Ui,
    directory_option,
    existing,
    modules_option,
    project_folder,
    python_option,
    ui_options,
)
from opgen.importing.entries import Style, import_ops
from opgen.importing.entry import Imported
from opgen.importing.places import Places
from opgen.importing.run import written
from opgen.readers.registrations import Registrations
from opgen.spec.yaml import read_source, shown_path
from opgen.words import counted

_STDOUT = Path("-")
_REMEDY = "name C++ or Python sources, or folders that hold any"


@click.command
@click.argument("paths", metavar="[SRC]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    cls=Option,
    type=click.Path(path_type=Path),
    default=Path(DECLARATION),
    help="The file to write; `-` for stdout.",
)
@click.option("--force", cls=Option, is_flag=True, help="Overwrite an existing file.")
@click.option(
    "--registered",
    cls=Option,
    is_flag=True,
    help="Leave schemas and kernels where they are: the first step of a migration.",
)
@click.option(
    "--namespace", "namespaces", cls=Option, multiple=True, metavar="NAME", help="Import only these namespaces."
)
@modules_option
@define_option
@python_option
@directory_option
@ui_options
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[Path, ...],
    output: Path,
    force: bool,
    registered: bool,
    namespaces: tuple[str, ...],
    modules: tuple[str, ...],
    define: Mapping[str, str],
    python: str | None,
    directory: Path | None,
    ui: Ui,
) -> None:
    """Write an ops.yaml from what C++ and Python sources register.

    SRC are files, or folders that are searched for C++, CUDA and Python. Each operator becomes an entry with its schema
    and what its registrations say; what can't be declared stands there as a comment with the reason, what can't be read
    in the first lines. Without `--registered` the kernels are to be written into skeletons, with it everything
    hand-written stays.

    Exit status: 0 all was imported, 1 something was left out, 2 nothing was.
    """
    folder = project_folder(directory)
    file = folder / (DECLARATION if output == _STDOUT else output)
    if output != _STDOUT and file.is_dir():
        raise click.UsageError(f"'{shown_path(file)}' is a folder; name the file to write by `-o`")
    if output != _STDOUT and file.exists() and not force:
        raise click.UsageError(f"'{shown_path(file)}' exists; `--force` overwrites it, `-o` names another file")
    settings, wrong = resolve(Given(lint_values={"define": define} if define else {}), folder)
    sources = _sources(paths, folder, settings, has_modules=bool(modules))
    registrations, unread = read_registrations(sources, settings.lint.define, read_source)
    if modules:
        from opgen.readers.live import read_live  # only with `--module`

        live = read_live(modules, python=python or sys.executable, directory=folder)
        registrations += live
        wrong += module_findings(live)
    report([*wrong, *unread], ui)
    if wrong:
        ctx.exit(2)
    imported = import_ops(registrations, Places(file.parent), Style(registered, modules), namespaces)
    made = written(imported, file, _command(ctx))
    report(made.diagnostics, ui)
    if made.diagnostics:
        ctx.exit(2)
    if not made.imported.declared:
        raise click.UsageError(_nothing(registrations, made.imported, namespaces))
    if output == _STDOUT:
        ui.print(made.text)
    elif not write_texts({file.as_posix(): made.text}, ui):
        ctx.exit(2)
    for line in _summary(made.imported, "stdout" if output == _STDOUT else f"'{shown_path(file)}'"):
        ui.note(line)
    ctx.exit(int(not made.imported.is_whole))


def _sources(paths: tuple[Path, ...], folder: Path, settings: Settings, *, has_modules: bool) -> Sources:
    """Return the sources to read, without declarations.

    Raises:
        click.UsageError: nothing is named, or a path can't be read.
    """
    if not paths and not has_modules:
        raise click.UsageError(f"nothing to import; {_REMEDY}, or a module by --module")
    named = [folder / path for path in paths]
    for path in named:
        if not path.exists():
            raise click.UsageError(f"there is no '{path.as_posix()}'; {_REMEDY}")
        if not path.is_dir() and kind_of(existing(path, _REMEDY)) not in {"cpp", "python"}:
            raise click.UsageError(f"'{path.as_posix()}' is neither C++ nor Python; {_REMEDY}")
    patterns = (*settings.exclude, *settings.extend_exclude)
    found = collect(named, excluder(patterns, settings.root))
    return Sources(cpp=found.cpp, python=found.python)


def _nothing(registrations: Registrations, imported: Imported, namespaces: Sequence[str]) -> str:
    read = counted(len(registrations.definitions), "definition")
    refused = [f"{entry.name}: {entry.refused}" for entry in imported.entries]
    names = {one.namespace for one in registrations.definitions}
    if names and names.isdisjoint(namespaces or names):
        refused.append(f"their namespaces are {', '.join(sorted(names))}")
    reasons = "".join(f"\n  {one}" for one in (*imported.unread, *refused))
    return f"no operator can be imported; read {read} in {counted(len(registrations.sources), 'source')}{reasons}"


def _command(ctx: click.Context) -> str:
    """Return the command line of this run, for the first line of the file."""
    words = ["opgen", "import", *(path.as_posix() for path in ctx.params["paths"])]
    words += ["--registered"] * ctx.params["registered"]
    for name in ("module", "namespace"):
        for value in ctx.params[f"{name}s"]:
            words += [f"--{name}", value]
    for name, value in ctx.params["define"].items():
        words += ["-D", f"{name}={value}"]
    return shlex.join(words)


def _summary(imported: Imported, where: str) -> Iterator[str]:
    """Yield sentences on what is in the file, and on what has to be added by hand."""
    yield f"imported {len(imported.declared)} of {counted(len(imported.entries), 'operator')} into {where}"
    refused = [entry.refused for entry in imported.entries if entry.refused]
    codes = Counter(code for reason in refused for code in re.findall(r"\((OPG\d+)\)", reason)[-1:])
    if refused:
        told = "".join(f", {code} {count}" for code, count in sorted(codes.items()))
        yield f"  {len(refused)} not declared, with the reason in a comment{told}"
    if imported.unread:
        yield f"  {len(imported.unread)} not read, listed in the first lines"
    if without := sum(not entry.has_fake for entry in imported.declared):
        yield f"  {without} without a fake kernel"
    yield "  none with a contract of its tensors: describe them under `tensors`"
