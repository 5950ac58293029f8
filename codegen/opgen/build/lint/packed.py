"""Converts findings to JSON values and back, with sources as paths and each code once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, field
from typing import Any

from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from opgen.diagnostics.codes import Example
from opgen.diagnostics.diagnostic import Note
from opgen.records import dataclass
from opgen.source import Location, Source, Span


class NotSelfContainedError(Exception):
    """A finding points into a text that isn't one of the files that were read, so that it can't be restored."""


def pack(diagnostics: Sequence[Diagnostic], sources: Mapping[str, Source]) -> dict[str, Any]:
    """Return findings as JSON values.

    Raises:
        NotSelfContainedError: a finding points into a text that is not among ``sources``.
    """
    packer = _Packer(sources)
    findings = [packer.diagnostic(diagnostic) for diagnostic in diagnostics]
    return {"codes": packer.codes, "findings": findings}


@dataclass
class _Packer:
    sources: Mapping[str, Source]
    codes: dict[str, Any] = field(default_factory=dict)

    def diagnostic(self, one: Diagnostic) -> Any:
        code = one.code
        if code.id not in self.codes:
            examples = [example and astuple(example) for example in (code.bad, code.good)]
            texts = [code.id, code.name, code.severity.value, code.summary, code.why, code.remedy]
            self.codes[code.id] = [*texts, *examples]
        notes = [[note.message, self._place(note.location)] for note in one.notes]
        severity = one.severity_override and one.severity_override.value
        place = one.location and self._place(one.location)
        return [code.id, one.message, place, one.help, one.op, notes, severity, one.fix and self._fix(one.fix)]

    def _fix(self, fix: Fix) -> Any:
        edits = [[self._place(edit.location), edit.replacement] for edit in fix.edits]
        return [fix.title, edits, fix.applicability]

    def _place(self, place: Location) -> Any:
        read = self.sources.get(place.source.path)
        if read is None or read.text != place.source.text:
            raise NotSelfContainedError(place.source.path)
        return [place.source.path, *place.span]


def unpack(record: Mapping[str, Any], sources: Mapping[str, Source]) -> tuple[Diagnostic, ...]:
    """Return the findings from the values that `pack` has made."""
    codes = {id_: _code(row) for id_, row in record["codes"].items()}
    return tuple(_diagnostic(row, codes, sources) for row in record["findings"])


def _code(row: Sequence[Any]) -> Code:
    id_, name, severity, summary, why, remedy, *examples = row
    bad, good = (_example(*example) if example else None for example in examples)
    return Code(id_, name, Severity(severity), summary, why, remedy, bad, good)


def _example(text: str, path: str, beside: Sequence[Any]) -> Example:
    return Example(text, path, tuple(_example(*each) for each in beside))


def _diagnostic(row: Sequence[Any], codes: Mapping[str, Code], sources: Mapping[str, Source]) -> Diagnostic:
    def place(written: Any) -> Location:
        path, start, end = written
        return Location(sources[path], Span(start, end))

    code, message, location, help_, op, notes, severity, fix = row
    return Diagnostic(
        code=codes[code],
        message=message,
        location=place(location) if location else None,
        help=help_,
        op=op,
        notes=tuple(Note(text, place(written)) for text, written in notes),
        severity_override=Severity(severity) if severity else None,
        fix=Fix(fix[0], tuple(Edit(place(written), text) for written, text in fix[1]), fix[2]) if fix else None,
    )
