"""Open documents, and what is found in them and in the files that belong to them."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path

from opgen.build.check import check
from opgen.build.collect import DECLARATION, Sources, kind_of
from opgen.build.config.discover import discover
from opgen.build.config.read import read_settings
from opgen.build.config.settings import Settings
from opgen.build.lint.run import Recorder, lint
from opgen.build.lint.selection import Selection
from opgen.diagnostics import Diagnostic
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.source import Source
from opgen.spec.yaml import shown_path

_HEAD = re.compile(r"^opgen\s*:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Judged:
    """Findings by file; a file without any is there too, so that what was mended goes away."""

    findings: dict[Path, list[Diagnostic]]


@dataclass
class Workspace:
    """The documents that an editor has open, by absolute path: their texts, not what is on the disk, are judged."""

    texts: dict[Path, str] = field(default_factory=dict)

    def judge(self, path: Path) -> Judged:
        """Judge a document as ``opgen lint`` would: a declaration with all that its library consists of.

        Editors send every YAML file; nothing is said of one that belongs to no library. Mistakes in the configuration
        that holds for the document are reported in that.
        """
        file = discover(path.parent)
        settings, _, mistaken = (Settings(path.parent), None, []) if file is None else read_settings(file)
        selection = Selection(settings.lint.select, settings.lint.ignore, settings.lint.per_file_ignores, settings.root)
        kind = kind_of(path)
        if kind == "declaration":
            main = self.main_file(path)
            if main is None:
                return Judged({path: []})
            sources = Sources(declarations=(main,))
        else:
            sources = Sources(cpp=(path,) * (kind == "cpp"), python=(path,) * (kind == "python"))
        linted = lint(sources, selection, self._shown(), settings.lint.define)
        findings: dict[Path, list[Diagnostic]] = {Path(name).absolute(): [] for name in linted.sources}
        if file is not None:
            findings[file] = mistaken
        for diagnostic in linted.reported:
            if diagnostic.location is not None:
                findings.setdefault(Path(diagnostic.location.source.path).absolute(), []).append(diagnostic)
        return Judged(findings)

    def main_file(self, path: Path) -> Path | None:
        """Return the ``ops.yaml`` that a file belongs to: itself, or the nearest one above that includes it."""
        if path.name == DECLARATION or _HEAD.search(self.source(path).text):
            return path
        for folder in path.parents:
            main = folder / DECLARATION
            if main.is_file() and path in {Path(name).absolute() for name in self._read(main).sources}:
                return main
        return None

    def op_at(self, path: Path, offset: int) -> tuple[Library, Op, Path] | None:
        """Return the declared op whose entry holds a character of a document, its library, and the library's folder."""
        main = self.main_file(path)
        library = check(main, Recorder(self._shown())).library if main else None
        if main is None or library is None:
            return None
        for op in library.ops:
            place = op.spec.location
            is_there = Path(place.source.path).absolute() == path and place.span.start <= offset <= place.span.end
            if is_there and not op.is_derived:
                return library, op, main.parent
        return None

    def source(self, path: Path) -> Source:
        """Return a document as text with lines and columns; empty where there is no such file."""
        text = self.texts.get(path)
        if text is None:
            text = path.read_text("utf-8", "replace") if path.is_file() else ""
        return Source(shown_path(path), text)

    def _read(self, main: Path) -> Recorder:
        recorder = Recorder(self._shown())
        check(main, recorder)
        return recorder

    def _shown(self) -> dict[str, str]:
        return {shown_path(path): text for path, text in self.texts.items()}
