"""The baseline of ``opgen lint``: which one is used, what it leaves, and when it is that of another run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.build.config.settings import Settings
from opgen.build.globs import relative
from opgen.build.lint.result import Linted
from opgen.cli.options import DECLARATION, Ui
from opgen.diagnostics import Diagnostic
from opgen.records import dataclass
from opgen.spec.yaml import shown_path
from opgen.words import counted

if TYPE_CHECKING:  # most projects have none, and it reads JSON
    from opgen.build.lint.baseline import Baseline

_FILE = "opgen-baseline.json"


@dataclass(frozen=True, slots=True)
class UsedBaseline:
    """The baseline of a run.

    Attributes:
        file: where it stands or will stand.
        run: what is linted, as the arguments of a command line, with paths seen from the file.
        content: what it says; ``None`` where none is used.
    """

    file: Path
    run: str
    content: Baseline | None = None

    def new(self, found: Sequence[Diagnostic], ui: Ui) -> list[Diagnostic]:
        """Return the findings that it does not know; all where none is used."""
        if self.content is None:
            return list(found)
        from opgen.build.lint.baseline import new_findings

        new, gone = new_findings(found, self.content, self.file)
        if gone and ui.verbose:
            ui.note(f"{counted(gone, 'finding')} of the baseline fixed: `opgen lint --write-baseline` rewrites it")
        return new

    def say_what_differs(self, ui: Ui) -> None:
        """Warn where it was written for other paths or macros: each run has findings that the other can't have."""
        if self.content is not None and self.content.run != self.run:
            written, run = (f"`{'opgen lint ' + run}`" for run in (self.content.run, self.run))
            ui.note(f"'{shown_path(self.file)}' was written by {written}, and this is {run}: findings may differ")

    def write(self, linted: Linted, ui: Ui) -> None:
        """Write down what a run has found, and how many registrations it could not read."""
        from opgen.build.lint.baseline import render
        from opgen.cli.author_files import write_texts

        unread = len(linted.tally.unread) if linted.tally else 0
        write_texts({self.file.as_posix(): render(linted.reported, self.file, self.run, unread)}, ui)
        ui.note(f"{counted(len(linted.reported), 'finding')} written to '{shown_path(self.file)}'")


def find_baseline(
    settings: Settings,
    folder: Path,
    paths: Iterable[Path],
    modules: Iterable[str],
    *,
    is_written: bool,
) -> tuple[UsedBaseline, list[Diagnostic]]:
    """Return the baseline of a run, and what is wrong with its file.

    Args:
        settings: of the run.
        folder: of the project.
        paths: that are linted, from there.
        modules: that are asked in a live process.
        is_written: whether it is to be written, so that the one which stands there does not count.
    """
    written = settings.lint.baseline
    file = settings.root / written if written else folder / _FILE
    run = _run(file, folder, paths, modules, settings.lint.define)
    if is_written or not written:
        return UsedBaseline(file, run), []
    from opgen.build.lint.baseline import read

    content, wrong = read(file)
    return UsedBaseline(file, run, content), wrong


def _run(file: Path, folder: Path, paths: Iterable[Path], modules: Iterable[str], define: Mapping[str, str]) -> str:
    named = sorted({relative(folder / path, file.parent).as_posix() for path in paths})
    asked = [f"--module {name}" for name in sorted(set(modules))]
    defined = [f"-D {name}={value}" for name, value in sorted(define.items())]
    return " ".join([*(named or ([] if asked else [DECLARATION])), *asked, *defined])
