"""``opgen fmt``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from opgen.build.collect import collect, kind_of
from opgen.build.config.settings import Settings
from opgen.build.fmt.run import Formatted, format_library, format_source
from opgen.build.globs import excluder
from opgen.cli.author_files import changes_of, write_changes
from opgen.cli.findings import report
from opgen.cli.lint_settings import Given, resolve
from opgen.cli.options import DECLARATION, Option, Ui, directory_option, existing, project_folder, ui_options
from opgen.diagnostics import Diagnostic
from opgen.emit.diff import unified
from opgen.emit.file_set import Change, ChangeKind, Comparison
from opgen.spec.yaml.file import decode_source
from opgen.words import counted

_STDIN = Path("-")
_REMEDY = "name declarations, folders that hold an ops.yaml, or `-` for stdin"


@click.command
@click.argument("paths", metavar="[PATH|-]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--check", cls=Option, is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option(
    "--diff", cls=Option, is_flag=True, help="Write nothing; show what would change, and exit as --check does."
)
@directory_option
@ui_options
@click.pass_context
def command(
    ctx: click.Context, *, paths: tuple[Path, ...], check: bool, diff: bool, directory: Path | None, ui: Ui
) -> None:
    """Write declarations in their canonical form, with all their comments.

    PATHS are files, or folders that are searched for ops.yaml; by default the ops.yaml of this folder. What a file
    includes is formatted with it. `-` formats stdin to stdout. Layout changes and nothing else: a file is written only
    if its new text says what the old one did. A file that is no valid YAML is reported and left alone.
    """
    if _STDIN in paths:
        if len(paths) > 1:
            raise click.UsageError("`-` is stdin, and is formatted alone")
        ctx.exit(_format_stdin(ui, check=check, diff=diff))
    folder = project_folder(directory)
    settings, diagnostics = resolve(Given(), folder)
    if diagnostics:
        report(diagnostics, ui)
        ctx.exit(2)
    formatted, diagnostics = _format(_declarations(paths, folder, settings))
    report(diagnostics, ui)
    changes = changes_of({one.source.path: one.text for one in formatted if one.is_changed})
    if diff:
        ui.print(unified(Comparison(changes, ())))
    only_show = check or diff
    if not only_show and not write_changes(changes, ui):
        ctx.exit(2)
    _say(changes, len(formatted) - len(changes), ui, is_written=not only_show)
    ctx.exit(int(bool(diagnostics) or (only_show and bool(changes))))


def _declarations(paths: Sequence[Path], folder: Path, settings: Settings) -> tuple[Path, ...]:
    """Return the files that are named, or found in named folders.

    Raises:
        click.UsageError: a path does not exist, or no declaration was found.
    """
    if not paths:
        return (existing(folder / DECLARATION, _REMEDY),)
    named = [folder / path for path in paths]
    for path in named:
        if not path.is_dir() and kind_of(existing(path, _REMEDY)) != "declaration":
            raise click.UsageError(f"'{path.as_posix()}' is no declaration; {_REMEDY}")
    patterns = (*settings.exclude, *settings.extend_exclude)
    found = collect(named, excluder(patterns, settings.root))
    return found.declarations or (existing(named[0] / DECLARATION, _REMEDY),)


def _format(declarations: Sequence[Path]) -> tuple[list[Formatted], list[Diagnostic]]:
    """Format libraries; a file that several of them include is formatted once."""
    formatted: dict[str, Formatted] = {}
    diagnostics: list[Diagnostic] = []
    for declaration in declarations:
        files, found = format_library(declaration)
        formatted.update((one.source.path, one) for one in files)
        diagnostics += [one for one in found if one not in diagnostics]
    return list(formatted.values()), diagnostics


def _format_stdin(ui: Ui, *, check: bool, diff: bool) -> int:
    source, diagnostics = decode_source("<stdin>", sys.stdin.buffer.read())
    if source is None:
        report(diagnostics, ui)
        return 1
    formatted, diagnostics = format_source(source)
    report(diagnostics, ui)
    if diagnostics:
        return 1
    text = formatted.text.encode("utf-8")
    if diff:
        change = Change(source.path, ChangeKind.UPDATE, source.text.encode("utf-8"), text)
        ui.print(unified(Comparison((change,), ())) if formatted.is_changed else "")
    elif not check:
        sys.stdout.buffer.write(text)  # UTF-8, whatever the locale is
    return int((check or diff) and formatted.is_changed)


def _say(changes: Sequence[Change], unchanged: int, ui: Ui, *, is_written: bool) -> None:
    word = "reformatted" if is_written else "would reformat"
    for change in changes:
        ui.note(f"{word} '{change.path}'")
    counts = (
        [f"{counted(len(changes), 'file')} {'reformatted' if is_written else 'would be reformatted'}"]
        if changes
        else []
    )
    if unchanged:
        counts.append(f"{counted(unchanged, 'file')} {'left' if is_written else 'would be left'} unchanged")
    ui.note(", ".join(counts) or "no file could be read")
