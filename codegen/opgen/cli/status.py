"""``opgen status``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from opgen.build.check import check
from opgen.build.collect import Sources, collect
from opgen.build.status.facts import Matrix
from opgen.build.status.show import json_object, table
from opgen.cli.findings import report
from opgen.cli.lint_settings import Given, define_option, resolve
from opgen.cli.options import DECLARATION, Option, Ui, directory_option, format_option, project_folder, ui_options
from opgen.cli.sources import files_of, one_declaration_or_sources
from opgen.model.op import Library
from opgen.rules.registration.missing_source import registered_files
from opgen.spec.yaml import read_source
from opgen.words import counted


@click.command
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--fail-under",
    cls=Option,
    type=click.IntRange(0, 100),
    metavar="PERCENT",
    help="Exit with 1 if less than this percentage is ready.",
)
@format_option("table", "json")
@define_option
@directory_option
@ui_options
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[Path, ...],
    fail_under: int | None,
    format_: str,
    define: Mapping[str, str],
    directory: Path | None,
    ui: Ui,
) -> None:
    """Show what each op has and lacks: schema, fake kernel, autograd, autocast, vmap, kernels, tests, docs.

    PATHS are a declaration (by default the ops.yaml of this folder), or C++ and Python sources of a hand-written
    library, with its tests if these are to be looked at. What does not apply, or was decided against, counts for
    nothing.
    """
    folder = project_folder(directory)
    settings, wrong = resolve(Given(lint_values={"define": define} if define else {}), folder)
    if wrong:
        report(wrong, ui)
        ctx.exit(2)
    files = files_of(settings)
    sources = one_declaration_or_sources(files, [folder / path for path in paths or (Path(DECLARATION),)])
    if sources.declarations:
        matrix = _declared(ctx, sources.declarations[0], files.define, ui)
    else:
        matrix = _registered(sources, files.define, ui)
    if not matrix.ops:
        ui.note("no op was found")
    if format_ == "json":
        ui.print(json_object(matrix))
    else:
        ui.print(table(matrix, color=ui.colors(sys.stdout), columns=ui.columns(sys.stdout)))
    if fail_under is not None and matrix.percent < fail_under:
        ui.note(f"{matrix.percent} % is ready, which is under {fail_under} %")
        ctx.exit(1)


def _declared(ctx: click.Context, path: Path, define: Mapping[str, str], ui: Ui) -> Matrix:
    from opgen.build.status.declared import status_of_library  # only for declarations

    checked = check(path)
    if checked.library is None:
        report(checked.diagnostics, ui)
        ctx.exit(1)
    by_hand = _by_hand(checked.library, define)
    return status_of_library(checked.library, checked.diagnostics, path.parent, by_hand)


def _by_hand(library: Library, define: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """Return op -> dispatch keys of its kernels, for ops with `registered`, read from their sources."""
    files = [path for path in dict.fromkeys(registered_files(library)) if path.is_file()]
    if not files:
        return {}
    from opgen.build.lint.registrations import read_registrations  # parsers of C++ and Python
    from opgen.build.status.registered import backends_by_hand
    from opgen.rules.registrations.joined import join

    registrations, _ = read_registrations(collect(files), define, read_source)
    return backends_by_hand(join(registrations))


def _registered(sources: Sources, define: Mapping[str, str], ui: Ui) -> Matrix:
    from opgen.build.lint.registrations import read_registrations  # parsers of C++ and Python
    from opgen.build.status.registered import status_of_sources
    from opgen.rules.registrations.joined import join
    from opgen.rules.registrations.registry import judge_registrations

    registrations, _ = read_registrations(sources, define, read_source)
    if registrations.unread:
        ui.note(f"{counted(len(registrations.unread), 'registration')} can't be read; `opgen lint -v` lists them")
    return status_of_sources(join(registrations), judge_registrations(registrations))
