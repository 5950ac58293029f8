"""A baseline: the findings that a library had when it began to be linted, so that only new ones are reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from opgen.build.globs import relative
from opgen.build.lint.codes import BAD_BASELINE
from opgen.diagnostics import Diagnostic
from opgen.diagnostics.fingerprint import Identity, identity
from opgen.records import dataclass
from opgen.source import Location, Source, Span
from opgen.spec.yaml import read_source

_VERSION = 2
"""Version 1 had a hash of the marked text in place of what a finding is about: any edit of a schema was a new finding."""

_REMEDY = "name a file that `opgen lint --write-baseline` has written"


@dataclass(frozen=True, slots=True)
class Baseline:
    """What such a file says.

    Attributes:
        known: how many findings are known of each identity, whose paths are seen from the file.
    """

    known: Mapping[Identity, int] = field(default_factory=dict)


def render(diagnostics: Iterable[Diagnostic], file: Path) -> str:
    """Return the text of a baseline that is to stand in ``file``: sorted, a line a kind of finding, so that it merges."""
    counts = Counter(_seen_from(file, diagnostic) for diagnostic in diagnostics)
    entries = [
        {"path": key.path, "code": key.code, "op": key.op, "about": key.about, "count": count}
        for key, count in sorted(counts.items(), key=lambda item: (item[0].path, item[0]))
    ]
    lines = ",\n".join(
        f"    {json.dumps({name: value for name, value in entry.items() if value})}" for entry in entries
    )
    return f'{{\n  "version": {_VERSION},\n  "findings": [\n{lines}\n  ]\n}}\n'


def read(file: Path) -> tuple[Baseline, list[Diagnostic]]:
    """Return what a baseline says, or what is wrong with the file."""
    source, found = read_source(file)
    if source is None:
        return Baseline(), [replace(one, help=_REMEDY) for one in found]
    try:
        document = json.loads(source.text)
        version = document["version"]
        if version != _VERSION:
            whose = "an older" if version == 1 else "another"
            return Baseline(), [_bad(source, f"version {version} of a baseline is that of {whose} opgen")]
        return Baseline({_identity(entry): int(entry["count"]) for entry in document["findings"]}), []
    except json.JSONDecodeError as error:
        return Baseline(), [_bad(source, f"no valid JSON: {error.msg.lower()}", error.pos)]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return Baseline(), [_bad(source, "this is no baseline of opgen")]


def new_findings(diagnostics: Iterable[Diagnostic], baseline: Baseline, file: Path) -> tuple[list[Diagnostic], int]:
    """Return the findings that a baseline does not know, and how many that it knows are no longer found.

    Of several with one identity as many are known as it counts. One that is missing in its file and found in another has moved
    with its op: it stays known.
    """
    left = Counter(baseline.known)
    keyed = [(diagnostic, _seen_from(file, diagnostic)) for diagnostic in diagnostics]
    unknown = [(diagnostic, key) for diagnostic, key in keyed if not _taken(left, key)]
    moved: Counter[Identity] = Counter()
    for key, count in left.items():
        moved[_anywhere(key)] += count
    new = [diagnostic for diagnostic, key in unknown if not _taken(moved, _anywhere(key))]
    return new, sum(moved.values())


def _taken(counts: Counter[Identity], key: Identity) -> bool:
    """Take one of what is left of an identity, if any is."""
    if counts[key] <= 0:
        return False
    counts[key] -= 1
    return True


def _anywhere(key: Identity) -> Identity:
    return key._replace(path="")


def _seen_from(file: Path, diagnostic: Diagnostic) -> Identity:
    """Name its file from the folder of the baseline, so that that holds wherever opgen is started."""
    return identity(diagnostic, lambda path: relative(Path(path), file.parent).as_posix())


def _identity(entry: Mapping[str, Any]) -> Identity:
    return Identity(*(str(entry.get(name, "")) for name in Identity._fields))


def _bad(source: Source, message: str, at: int = 0) -> Diagnostic:
    place = Location(source, Span(at, min(at + 1, len(source.text))))
    return Diagnostic(BAD_BASELINE, message, place, BAD_BASELINE.remedy)
