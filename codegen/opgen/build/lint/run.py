"""Read sources and judge them: what ``opgen lint`` does between its options and its output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from opgen.build.check import check
from opgen.build.collect import Sources
from opgen.build.lint.selection import Selection
from opgen.build.lint.suppressions import judged, silenced, suppressions
from opgen.diagnostics import Diagnostic, Severity, ordered
from opgen.rules.registry import all_codes
from opgen.source import Location, Source
from opgen.spec.yaml import Read, read_source


@dataclass
class Recorder:
    """Reads files, and keeps their texts: those of ``texts`` instead of what is on the disk."""

    texts: Mapping[str, str] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)

    def __call__(self, path: Path, /) -> tuple[Source | None, list[Diagnostic]]:
        """Read as `read_source` does."""
        source, found = read_source(path)
        if source is not None:
            source = Source(source.path, self.texts.get(source.path, source.text))
            self.sources[source.path] = source
        return source, found


@dataclass(frozen=True, slots=True)
class Linted:
    """What a run has found.

    Attributes:
        found: everything, for fixes to compare.
        reported: what is selected and no comment silences.
    """

    found: tuple[Diagnostic, ...]
    reported: tuple[Diagnostic, ...]


def lint(sources: Sources, selection: Selection, texts: Mapping[str, str] | None = None) -> Linted:
    """Judge all files of a run together.

    Args:
        sources: what to read.
        selection: which findings are reported.
        texts: of files that are to be changed, by the path that they are shown under.
    """
    read = Recorder(texts or {})
    found, ops = _judge(sources, read)
    comments = suppressions(read.sources.values(), ops)
    reported = [diagnostic for diagnostic in silenced(found, comments) if selection(diagnostic)]
    if comments:
        unread = {
            one.location.source.path
            for one in found
            if one.location and one.severity is Severity.ERROR and one.code.is_reading
        }
        about = judged(comments, all_codes(), selection.selects, unread)
        reported += [diagnostic for diagnostic in about if selection(diagnostic)]
    return Linted(tuple(ordered(found)), tuple(ordered(reported)))


def _judge(sources: Sources, read: Read) -> tuple[list[Diagnostic], list[Location]]:
    """Return all findings, and the place of each op that was read."""
    found: list[Diagnostic] = []
    ops: list[Location] = []
    for declaration in sources.declarations:
        checked = check(declaration, read)
        found += checked.diagnostics
        ops += [op.spec.location for op in checked.library.ops] if checked.library else []
    return found, ops
