"""Writes an imported file, and proves it: ops that ``opgen lint`` would refuse become comments with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from opgen.build.check import check
from opgen.build.fmt.run import format_source
from opgen.diagnostics import Diagnostic, Severity
from opgen.importing.entry import Entry, Imported
from opgen.importing.render import render
from opgen.model.codes import UNSUPPORTED
from opgen.records import dataclass
from opgen.source import Source
from opgen.spec.yaml import Read, read_source, shown_path

_ADAPTED: Mapping[str, tuple[str, str, str]] = {
    "OPG214": (
        "side_effects",
        "true",
        "nothing is written and nothing returned by this schema: mark what is written with `!`, or keep `side_effects`",
    ),
    "OPG406": ("abi", "classic", "a type that the stable ABI can't carry"),
    "OPG507": ("dispatch", "{CompositeExplicitAutograd: cpp}", "no argument says which backend's kernel is meant"),
}
"""Code -> key, value and note, which make an entry valid whose schema must stay as it is."""


@dataclass(frozen=True, slots=True)
class Written:
    """An imported file.

    Attributes:
        imported: the entries, with the refused ones marked.
        text: the text of the file, as laid out by ``opgen fmt``.
        diagnostics: errors about the whole file, such as an invalid namespace; the file must not be written then.
    """

    imported: Imported
    text: str
    diagnostics: tuple[Diagnostic, ...] = ()


def written(imported: Imported, path: Path, command: str) -> Written:
    """Return the text of an imported file for ``path``, which need not exist and isn't written here."""
    if not imported.declared:
        return Written(imported, "")
    while True:
        text = render(imported, command)
        errors = _errors(path, text)
        entries = {entry.name: entry for entry in imported.entries}
        general = tuple(error for error in errors if error.op not in entries)
        if general:
            return Written(imported, text, general)
        if not errors:
            return Written(imported, format_source(Source(shown_path(path), text))[0].text)
        entries |= _amended(entries, errors)
        imported = replace(imported, entries=tuple(entries.values()))


def _errors(path: Path, text: str) -> list[Diagnostic]:
    """Return the errors in a declaration, including those about what can't be generated yet."""
    found = check(path, _reading(path, text)).diagnostics
    return [one for one in found if one.code is UNSUPPORTED or one.severity is Severity.ERROR]


def _reading(path: Path, text: str) -> Read:
    source = Source(shown_path(path), text)

    def read(asked: Path, /) -> tuple[Source | None, list[Diagnostic]]:
        return (source, []) if asked == path else read_source(asked)

    return read


def _amended(entries: Mapping[str, Entry], errors: Iterable[Diagnostic]) -> dict[str, Entry]:
    """Return the entries with errors, with the key added that makes them valid (``_ADAPTED``), or refused."""
    amended: dict[str, Entry] = {}
    for error in errors:
        assert error.op is not None  # noqa: S101 - for mypy
        entry = amended.get(error.op, entries[error.op])
        key, value, note = _ADAPTED.get(error.code.id, ("", "", ""))
        if key and entry.keys.get(key) != value:
            amended[entry.name] = replace(entry, keys={**entry.keys, key: value}, notes=(*entry.notes, note))
        elif not entry.refused and not (key and entry is not entries[error.op]):
            amended[entry.name] = replace(entry, refused=f"{error.message} ({error.code.id})")
    return amended
