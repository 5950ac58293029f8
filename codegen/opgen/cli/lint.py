"""``opgen lint``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from opgen.build.collect import Sources, collect, kind_of
from opgen.build.config.settings import Settings
from opgen.build.globs import excluder
from opgen.build.lint.result import Linted, Tally
from opgen.build.lint.selection import Selection
from opgen.cli.findings import report, weighs
from opgen.cli.lint_baseline import UsedBaseline, find_baseline
from opgen.cli.lint_settings import Given, resolve, settings_options
from opgen.cli.options import (
    DECLARATION,
    Option,
    Ui,
    directory_option,
    existing,
    format_option,
    modules_option,
    project_folder,
    python_option,
    ui_options,
)
from opgen.diagnostics import Diagnostic, Severity
from opgen.diagnostics.formats import FORMATS
from opgen.diagnostics.formats.summary import counts
from opgen.spec.yaml import shown_path
from opgen.words import counted

if TYPE_CHECKING:  # slow to import, and most runs don't need it
    from opgen.build.lint.baseline import Baseline
    from opgen.readers.registrations import Registrations

_REMEDY = "name declarations, C++ or Python sources, or folders that hold any"


@click.command
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@format_option(*FORMATS)
@modules_option
@python_option
@click.option("--fix", cls=Option, is_flag=True, help="Apply the safe fixes; report what is left.")
@click.option("--unsafe-fixes", cls=Option, is_flag=True, help="Also apply fixes that may change what an op does.")
@click.option("--diff", cls=Option, is_flag=True, help="Write nothing; show what the fixes would change as a diff.")
@click.option(
    "--severity",
    cls=Option,
    type=click.Choice([one.value for one in Severity]),
    default=Severity.INFO.value,
    help="Report, fix and count only findings of this severity or above.",
)
@click.option("--statistics", cls=Option, is_flag=True, help="Show how many findings each code has.")
@click.option("--exit-zero", cls=Option, is_flag=True, help="Exit with 0 even if there are findings.")
@click.option("--write-baseline", cls=Option, is_flag=True, help="Record the current findings in the baseline.")
@click.option("--no-cache", cls=Option, is_flag=True, envvar="OPGEN_NO_CACHE", help="Neither read nor write the cache.")
@settings_options
@directory_option
@ui_options
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[Path, ...],
    format_: str,
    modules: tuple[str, ...],
    python: str | None,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    severity: str,
    statistics: bool,
    exit_zero: bool,
    write_baseline: bool,
    no_cache: bool,
    given: Given,
    directory: Path | None,
    ui: Ui,
) -> None:
    """Check declarations, and what C++ and Python sources register.

    PATHS are files, or folders that are searched for ops.yaml, C++, CUDA and Python; by default the ops.yaml of this
    folder. All sources of a run are judged together: a fake in Python against the schema in C++. `--module` adds what
    a module registers in a live process, which needs PyTorch; `torch` stands for all that PyTorch itself registers.

    Reports everything that is wrong, from YAML to contracts, in one run. Infos do not count for the exit status. A
    comment `opgen: ignore[CODE]` silences a finding of its line, or of the op that begins there.
    """
    folder = project_folder(directory)
    settings, wrong = resolve(given, folder)
    sources = Sources() if modules and not paths else _sources(paths, folder, settings)
    baseline, unreadable = find_baseline(settings, folder, paths, modules, is_written=write_baseline)
    if wrong or unreadable:
        report([*wrong, *unreadable], ui, format_)
        ctx.exit(2)
    selection = Selection(settings.lint.select, settings.lint.ignore, settings.lint.per_file_ignores, settings.root)
    live, least = _live(modules, python, folder), Severity(severity)

    def judge(texts: Mapping[str, str] | None = None) -> Linted:
        may_remember = not no_cache and live is None and texts is None
        linted = _lint(sources, selection, texts, settings.lint.define, live, may_remember=may_remember)
        new = baseline.new(linted.reported, ui)
        return replace(
            linted,
            reported=tuple(one for one in new if one.severity.reaches(least)),
            below=tuple(one for one in new if not one.severity.reaches(least)),
        )

    if fix or unsafe_fixes or diff:
        from opgen.cli.lint_fixes import make_fixes  # only with `--fix` or `--diff`

        linted, status = make_fixes(judge, ui, unsafe=unsafe_fixes, only_show=diff)
        if status is not None:
            ctx.exit(status)
    else:
        linted = judge()
    diagnostics = linted.reported
    if linted.tally is not None:
        _say_what_was_read(linted.tally, baseline.content, ui)
    baseline.say_what_differs(ui)
    unable = live is not None and bool(live.failures)
    if write_baseline:
        baseline.write(linted, ui)
        ctx.exit(0)
    if statistics:
        from opgen.cli.lint_statistics import statistics as counted  # only with `--statistics`

        ui.print(counted(diagnostics, as_json=format_ == "json"))
    else:
        report(diagnostics, ui, format_)
    if format_ in {"text", "concise"}:
        ui.print(_offer(diagnostics))
    _say_what_is_not_shown(linted, baseline, least, ui)
    ctx.exit(2 if unable else 0 if exit_zero else int(weighs(diagnostics)))


def _sources(paths: Sequence[Path], folder: Path, settings: Settings) -> Sources:
    """Return the sources to lint.

    Raises:
        click.UsageError: a path does not exist, or nothing there can be linted.
    """
    if not paths:
        return Sources((existing(folder / DECLARATION, _REMEDY),))
    named = [folder / path for path in paths]
    patterns = (*settings.exclude, *settings.extend_exclude)
    for path in named:
        if not path.is_dir() and kind_of(existing(path, _REMEDY)) is None:
            raise click.UsageError(f"'{path.as_posix()}' is neither YAML nor C++ nor Python; {_REMEDY}")
    sources = collect(named, excluder(patterns, settings.root))
    if not len(sources):
        folders = " and ".join(f"'{path.as_posix()}'" for path in named)
        raise click.UsageError(f"there is neither an ops.yaml nor a C++ or Python source in {folders}; {_REMEDY}")
    return sources


def _lint(
    sources: Sources,
    selection: Selection,
    texts: Mapping[str, str] | None,
    define: Mapping[str, str],
    live: Registrations | None,
    *,
    may_remember: bool,
) -> Linted:
    if may_remember:
        from opgen.build.cache import Cache, default_folder  # imports OpenSSL for its hashes
        from opgen.build.lint.remembered import lint_or_remember

        return lint_or_remember(Cache(default_folder() / "lint"), sources, selection, define)
    from opgen.build.lint.run import lint  # parsers and rules, which a cached run doesn't need

    return lint(sources, selection, texts, define, live)


def _live(modules: Sequence[str], python: str | None, folder: Path) -> Registrations | None:
    if not modules:
        return None
    from opgen.readers.live import read_live  # only with `--module`

    return read_live(modules, python=python or sys.executable, directory=folder)


def _say_what_was_read(tally: Tally, baseline: Baseline | None, ui: Ui) -> None:
    """Print the counts of registrations in C++ and Python, so that unread ones aren't taken for clean.

    Without ``-v`` unread ones are left out as long as there are no more of them than the baseline records.
    """
    if tally.in_process:
        ui.note(f"read {counted(tally.in_process, 'operator')} in a live process")
    defined = counted(tally.definitions, "definition")
    implemented = counted(tally.implementations, "implementation")
    files = counted(tally.files, "C++ or Python file")
    if tally.definitions or tally.implementations:
        ui.note(f"read {defined} and {implemented} in {files}")
    elif tally.files:
        ui.note(f"no registration was found in {files}")
    for macro in tally.macros if baseline is None or ui.verbose else ():
        ui.note(f"{macro} is a namespace that only the build knows; `-D {macro}=NAME` tells it")
    known = baseline.unread if baseline else 0
    if len(tally.unread) > known or (tally.unread and ui.verbose):
        count = counted(len(tally.unread), "registration")
        more = f", {len(tally.unread) - known} more than the baseline knows" if 0 < known < len(tally.unread) else ""
        ui.note(f"{count} can't be read{more}" + ("" if ui.verbose else "; `-v` says why"))
    for unread in tally.unread if ui.verbose else ():
        ui.note(f"  {unread}")


def _say_what_is_not_shown(linted: Linted, baseline: UsedBaseline, least: Severity, ui: Ui) -> None:
    if not linted.reported:
        ui.note(f"nothing found that isn't in '{shown_path(baseline.file)}'" if baseline.content else "nothing found")
    if linted.below:
        ui.note(f"not shown: {counts(linted.below)}, below `--severity {least.value}`")


def _offer(diagnostics: Sequence[Diagnostic]) -> str:
    """Return a sentence on how many findings opgen can fix; empty if none."""
    kinds = [diagnostic.fix.applicability for diagnostic in diagnostics if diagnostic.fix]
    safe, unsafe = kinds.count("safe"), kinds.count("unsafe")
    offers = [f"{safe} by `--fix`"] * bool(safe) + [f"{unsafe} by `--unsafe-fixes`"] * bool(unsafe)
    return f"Can be fixed: {', '.join(offers)}.\n" if offers else ""
