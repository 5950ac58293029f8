"""A baseline: the findings that a library had when it began to be linted, so that only new ones are reported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from opgen.build.globs import relative
from opgen.build.lint.codes import BAD_BASELINE
from opgen.diagnostics import Diagnostic
from opgen.diagnostics.fingerprint import fingerprints
from opgen.source import Location, Source, Span
from opgen.spec.yaml import read_source

_VERSION = 1
_REMEDY = "name a file that `opgen lint --write-baseline` has written"


def render(diagnostics: Iterable[Diagnostic], file: Path) -> str:
    """Return the text of a baseline that is to stand in ``file``: sorted, so that a merge is easy."""
    entries = [
        {
            "fingerprint": number,
            "code": diagnostic.code.id,
            "path": _seen_from(file, diagnostic.location.source.path) if diagnostic.location else None,
            "op": diagnostic.op,
        }
        for diagnostic, number in _numbered(diagnostics, file)
    ]
    entries.sort(key=lambda entry: (entry["path"] or "", entry["code"] or "", entry["op"] or "", entry["fingerprint"]))
    lines = ",\n".join(f"    {json.dumps(entry)}" for entry in entries)
    return f'{{\n  "version": {_VERSION},\n  "findings": [\n{lines}\n  ]\n}}\n'


def read(file: Path) -> tuple[frozenset[str], list[Diagnostic]]:
    """Return the fingerprints of a baseline, or what is wrong with the file."""
    source, found = read_source(file)
    if source is None:
        return frozenset(), [replace(one, help=_REMEDY) for one in found]
    try:
        document = json.loads(source.text)
        if document["version"] != _VERSION:
            return frozenset(), [_bad(source, f"version {document['version']} of a baseline is unknown")]
        return frozenset(str(entry["fingerprint"]) for entry in document["findings"]), []
    except json.JSONDecodeError as error:
        return frozenset(), [_bad(source, f"no valid JSON: {error.msg.lower()}", error.pos)]
    except (KeyError, TypeError, RecursionError):
        return frozenset(), [_bad(source, "this is no baseline of opgen")]


def new_findings(
    diagnostics: Sequence[Diagnostic], known: frozenset[str], file: Path
) -> tuple[list[Diagnostic], frozenset[str]]:
    """Return the findings that a baseline does not know, and its fingerprints that no finding has any more."""
    numbered = list(_numbered(diagnostics, file))
    gone = known - {number for _, number in numbered}
    return [diagnostic for diagnostic, number in numbered if number not in known], gone


def _numbered(diagnostics: Iterable[Diagnostic], file: Path) -> Iterable[tuple[Diagnostic, str]]:
    return fingerprints(diagnostics, lambda path: _seen_from(file, path))


def _seen_from(file: Path, path: str) -> str:
    """Name a file from the folder of the baseline, so that it holds wherever opgen is started."""
    return relative(Path(path), file.parent).as_posix()


def _bad(source: Source, message: str, at: int = 0) -> Diagnostic:
    place = Location(source, Span(at, min(at + 1, len(source.text))))
    return Diagnostic(BAD_BASELINE, message, place, BAD_BASELINE.remedy)
