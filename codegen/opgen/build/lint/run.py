"""Read sources and judge them: what ``opgen lint`` does between its options and its output."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.build.check import check
from opgen.build.collect import Sources
from opgen.build.lint.selection import Selection
from opgen.diagnostics import Code, Diagnostic, Severity, ordered
from opgen.model.op import Library
from opgen.source import Location, Source
from opgen.spec.yaml import Read, read_source

if TYPE_CHECKING:  # its classes take as long to make as all rules, and most runs read declarations only
    from opgen.readers.registrations import Registrations

_SUPPRESSION = re.compile(r"opgen:\s*ignore")


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
        registrations: what C++ and Python register, where any was read; those that can't be read are counted in it.
    """

    found: tuple[Diagnostic, ...]
    reported: tuple[Diagnostic, ...]
    registrations: Registrations | None = None


def lint(
    sources: Sources,
    selection: Selection,
    texts: Mapping[str, str] | None = None,
    define: Mapping[str, str] | None = None,
) -> Linted:
    """Judge all files of a run together.

    Args:
        sources: what to read.
        selection: which findings are reported.
        texts: of files that are to be changed, by the path that they are shown under.
        define: macros of the build, for C++.
    """
    read = Recorder(texts or {})
    found, ops, libraries = _judge_declarations(sources, read)
    registrations: Registrations | None = None
    if sources.cpp or sources.python:
        from opgen.build.lint.registrations import read_registrations  # noqa: PLC0415 - see above
        from opgen.rules.registrations.registry import judge_registrations  # noqa: PLC0415 - likewise

        registrations, unread_files = read_registrations(sources, define or {}, read)
        found += unread_files
        found += judge_registrations(registrations, libraries)
        ops += [definition.location for definition in registrations.definitions]
        ops += [implementation.location for implementation in registrations.implementations]
    reported = found
    marked = [source for source in read.sources.values() if _SUPPRESSION.search(source.text)]
    if marked:
        from opgen.build.lint.suppressions import unsilenced  # noqa: PLC0415 - few files have any

        unread = {one.location.source.path for one in found if one.location and _hides_others(one)}
        reported = unsilenced(found, marked, ops, _has_run(sources, selection), unread)
    reported = [diagnostic for diagnostic in reported if selection(diagnostic)]
    return Linted(tuple(ordered(found)), tuple(ordered(reported)), registrations)


def _judge_declarations(sources: Sources, read: Read) -> tuple[list[Diagnostic], list[Location], list[Library]]:
    """Return all findings, the place of each op that was read, and the libraries."""
    found: list[Diagnostic] = []
    ops: list[Location] = []
    libraries: list[Library] = []
    for declaration in sources.declarations:
        checked = check(declaration, read)
        found += checked.diagnostics
        if checked.library is not None:
            ops += [op.spec.location for op in checked.library.ops]
            libraries.append(checked.library)
    return found, ops, libraries


def _has_run(sources: Sources, selection: Selection) -> Callable[[Code], bool]:
    """Say of a code whether its findings would be there; rules of registration may need both languages."""
    is_half = bool(sources.cpp) != bool(sources.python)
    return lambda code: selection.selects(code) and not (is_half and code.id.startswith("OPG5"))


def _hides_others(diagnostic: Diagnostic) -> bool:
    return diagnostic.code.is_reading and diagnostic.severity is Severity.ERROR
