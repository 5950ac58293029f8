"""``opgen breaking``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from opgen.breaking import Breakage, Category, compare
from opgen.build.against import Files, Side
from opgen.build.git import Commit, NoCommitError
from opgen.build.lint.run import Recorder
from opgen.build.lint.selection import Selection
from opgen.cli.findings import report, weighs
from opgen.cli.lint_settings import Given, reading_options, resolve
from opgen.cli.options import DECLARATION, Option, Ui, directory_option, format_option, project_folder, ui_options
from opgen.cli.sources import files_of, one_declaration_or_sources
from opgen.diagnostics.formats import FORMATS
from opgen.words import counted

_SUPPRESSION = re.compile(r"opgen:\s*ignore\[")


@click.command
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--against",
    cls=Option,
    required=True,
    metavar="REF|PATH",
    help="The old side: a file or folder, a git commit, or a file in a commit (`main:ops.yaml`).",
)
@click.option(
    "--category",
    "categories",
    cls=Option,
    multiple=True,
    type=click.Choice([category.value for category in Category], case_sensitive=False),
    help="Report only what affects these callers; can be repeated.",
)
@format_option(*FORMATS)
@reading_options
@directory_option
@ui_options
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[Path, ...],
    against: str,
    categories: tuple[str, ...],
    format_: str,
    given: Given,
    directory: Path | None,
    ui: Ui,
) -> None:
    """Report what a change does to those who use the library, each finding with whom it hits.

    PATHS are the new side: a declaration (by default the ops.yaml of this folder), or C++ and Python sources. PYTHON
    are callers of `torch.ops` and of the package, EXPORT saved graphs, CXX callers through the dispatcher, SEMANTIC
    calls that do something else, or are refused. Infos do not count for the exit status. A comment
    `# opgen: ignore[CODE]` in a new file silences a finding of its line, or of the op that begins there.
    """
    folder = project_folder(directory)
    settings, wrong = resolve(given, folder)
    if wrong:
        report(wrong, ui, format_)
        ctx.exit(2)

    files = files_of(settings)
    named = [folder / path for path in paths or (Path(DECLARATION),)]
    recorder = Recorder()
    new = files.read(one_declaration_or_sources(files, named), recorder)
    old_files, old_named = _old_side(against, folder, named, files)
    old_read = old_files.commit.read if old_files.commit else Recorder()
    old = old_files.read(one_declaration_or_sources(old_files, old_named, f" at '{against}'"), old_read)
    _say_what_is_missing(old, new, against, ui)
    if new.errors or old.surface is None or new.surface is None:
        # An op that can't be read would count as removed.
        report(new.errors or old.errors, ui, format_)
        ctx.exit(1 if new.errors else 2)
    # The selection for `lint` in the configuration doesn't apply to breaking changes, only options do.
    selection = Selection(given.lint_values.get("select", ("ALL",)), given.lint_values.get("ignore", ()))
    hit = frozenset(map(Category, categories or tuple(Category.__members__)))
    found = [
        one.diagnostic
        for one in _unsilenced(compare(old.surface, new.surface), recorder, new)
        if one.categories & hit and selection(one.diagnostic)
    ]
    report(found, ui, format_)
    if not found:
        ui.note("nothing found")
    ctx.exit(int(weighs(found)))


def _old_side(against: str, folder: Path, named: Sequence[Path], files: Files) -> tuple[Files, Sequence[Path]]:
    """Return where to read the old side, and the paths: those of the new side, unless ``against`` is a path.

    Raises:
        click.UsageError: ``against`` is neither a path nor a commit.
    """
    if not against.strip():  # an unset variable in a CI job; comparing the folder with itself would find nothing
        raise click.UsageError("`--against` is empty; name a file, a folder or a commit")
    if (folder / against).exists():
        return files, [folder / against]
    name, _, path = against.partition(":")
    try:
        commit = Commit.of(name, folder)
    except NoCommitError as error:
        raise click.UsageError(f"'{against}' is neither a file nor a commit: {error}") from None
    if path and not (commit.is_file(commit.root / path) or commit.below(commit.root / path)):
        raise click.UsageError(
            f"there is no '{path}' in the commit '{name}'; paths of commits begin at the repository's root"
        )
    return Files(files.is_excluded, files.define, commit), [commit.root / path] if path else named


def _say_what_is_missing(old: Side, new: Side, against: str, ui: Ui) -> None:
    if old.errors and old.surface is not None:
        ui.note(
            f"{counted(len(old.errors), 'error')} in the old side, '{against}': what could be read of it is compared"
        )
    for side, which in ((old, "old"), (new, "new")):
        if side.unread:
            ui.note(
                f"{counted(side.unread, 'registration')} of the {which} side can't be read; `opgen lint -v` lists them"
            )


def _unsilenced(found: list[Breakage], recorder: Recorder, new: Side) -> list[Breakage]:
    """Return the findings that no comment in a new file suppresses; unused comments aren't reported."""
    marked = [source for source in recorder.sources.values() if _SUPPRESSION.search(source.text)]
    if not marked:
        return found
    from opgen.build.lint.suppressions import unsilenced  # few files have suppression comments

    diagnostics = [one.diagnostic for one in found]
    left = {id(one) for one in unsilenced(diagnostics, marked, new.ops, lambda _: False, frozenset())}
    return [one for one in found if id(one.diagnostic) in left]
