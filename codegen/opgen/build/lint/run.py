"""Reads sources and runs the rules on them, which is what ``opgen lint`` does between options and output."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.build.collect import Sources, collect
from opgen.build.lint.result import Linted, Tally
from opgen.build.lint.selection import Selection
from opgen.diagnostics import Code, Diagnostic, Severity, ordered
from opgen.diagnostics.formats.text import place_of
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.rules.registration.missing_source import named_files, registered_files
from opgen.source import Location, Source
from opgen.spec.yaml import Read, read_source, shown_path

if TYPE_CHECKING:  # slow to import, and most runs only read declarations
    from opgen.readers.registrations import Registrations

_SUPPRESSION = re.compile(r"opgen:\s*ignore")


@dataclass
class Recorder:
    """Reads files and remembers them.

    Attributes:
        texts: shown path -> text to use instead of the file on disk.
        sources: shown path -> file that was read.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)

    def __call__(self, path: Path, /) -> tuple[Source | None, list[Diagnostic]]:
        """Read a file as `read_source` does."""
        text = self.texts.get(shown_path(path)) if self.texts else None
        source, found = read_source(path) if text is None else (Source(shown_path(path), text), [])
        if source is not None:
            self.sources[source.path] = source
        return source, found


def lint(
    sources: Sources,
    selection: Selection,
    texts: Mapping[str, str] | None = None,
    define: Mapping[str, str] | None = None,
    live: Registrations | None = None,
) -> Linted:
    """Lint all files of a run together.

    Args:
        sources: the files to lint.
        selection: the selection of findings to report.
        texts: shown path -> text to use instead of the file on disk.
        define: macros of the build, for C++.
        live: the registrations in a live process.
    """
    read = Recorder(texts or {})
    found, ops, libraries = _judge_declarations(sources, read)
    if sources.native:
        from opgen.build.lint.native import judge_native_functions  # noqa: PLC0415 - few have any

        native, entries = judge_native_functions(sources.native, read)
        found += native
        ops += entries
    judged = set(read.sources)
    named = _named(libraries, sources)
    registrations: Registrations | None = None
    only_named = not (sources.cpp or sources.python or live is not None)
    if named or not only_named:
        from opgen.build.lint.registrations import read_registrations  # noqa: PLC0415 - see above
        from opgen.rules.registrations.macros import as_shown  # noqa: PLC0415 - likewise
        from opgen.rules.registrations.registry import judge_registrations  # noqa: PLC0415 - likewise

        registrations, unread_files = read_registrations(sources, define or {}, read)
        found += unread_files
        judged = set(read.sources)
        compared = read_registrations(named, define or {}, read)[0] if named else None
        if live is not None:
            from opgen.build.lint.live import module_findings  # noqa: PLC0415 - few runs ask a process

            registrations += live
            found += module_findings(live)
        judged_ops = _in_files(judge_registrations(registrations, libraries, compared), read)
        found += as_shown(judged_ops, (one.namespace for one in registrations.definitions))
        ops += [definition.location for definition in registrations.definitions]
        ops += [implementation.location for implementation in registrations.implementations]
    reported = found
    marked = [source for path, source in read.sources.items() if path in judged and _SUPPRESSION.search(source.text)]
    if marked:
        from opgen.build.lint.suppressions import unsilenced  # noqa: PLC0415 - few files have any

        unread = {one.location.source.path for one in found if one.location and _hides_others(one)}
        reported = unsilenced(found, marked, ops, _has_run(sources, selection), unread)
    reported = [diagnostic for diagnostic in reported if selection(diagnostic)]
    return Linted(
        found=tuple(ordered(found)),
        reported=tuple(ordered(reported)),
        tally=_tally(registrations) if registrations is not None and not only_named else None,
        sources=read.sources,
        looked_for={str(path): path.is_file() for library in libraries for path in named_files(library)},
    )


def _tally(registrations: Registrations) -> Tally:
    from opgen.rules.registrations.live import is_live  # noqa: PLC0415 - see above
    from opgen.rules.registrations.macros import macro_of  # noqa: PLC0415 - likewise

    macros = {macro_of(one.namespace) for one in registrations.definitions}
    return Tally(
        definitions=sum(one.language != "live" for one in registrations.definitions),
        implementations=sum(one.language != "live" for one in registrations.implementations),
        files=sum(not is_live(path) for path in registrations.sources),
        in_process=sum(one.language == "live" for one in registrations.definitions),
        unread=tuple(f"{place_of(unread.location)}{unread.reason}" for unread in registrations.unread),
        macros=tuple(sorted(macros - {""})),
    )


def _judge_declarations(sources: Sources, read: Read) -> tuple[list[Diagnostic], list[Location], list[Library]]:
    """Return all findings, the location of each op that was read, and the libraries."""
    found: list[Diagnostic] = []
    ops: list[Location] = []
    libraries: list[Library] = []
    if sources.declarations:
        from opgen.build.check import check  # noqa: PLC0415 - only for declarations
    for declaration in sources.declarations:
        checked = check(declaration, read)
        found += checked.diagnostics
        if checked.library is not None:
            ops += [op.spec.location for op in checked.library.ops]
            libraries.append(checked.library)
    return found, ops, libraries


def _named(libraries: Iterable[Library], sources: Sources) -> Sources:
    """Return the sources that declarations name by ``registered`` and that aren't linted anyway."""
    judged = {path.resolve() for path in (*sources.cpp, *sources.python)}
    files = dict.fromkeys(path for library in libraries for path in registered_files(library))
    return collect(path for path in files if path.is_file() and path.resolve() not in judged)


def _in_files(found: Iterable[Diagnostic], read: Recorder) -> Iterator[Diagnostic]:
    """Yield findings; those about schemas of a live process lose their fixes, as there is no file to change."""
    for one in found:
        is_file = one.fix is None or all(edit.location.source.path in read.sources for edit in one.fix.edits)
        yield one if is_file else replace(one, fix=None)


def _has_run(sources: Sources, selection: Selection) -> Callable[[Code], bool]:
    """Return whether the rule of a code was run: some need sources in both languages, OPG7xx an old version."""
    is_half = bool(sources.cpp) != bool(sources.python)
    unasked = ("OPG5", "OPG7") if is_half else ("OPG7",)
    return lambda code: selection.selects(code) and not code.id.startswith(unasked)


def _hides_others(diagnostic: Diagnostic) -> bool:
    return diagnostic.code.is_reading and diagnostic.severity is Severity.ERROR
