"""A baseline: the findings that a library had when it began to be linted, so that only new ones are reported."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
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
        run: what was linted, as the arguments of a command line.
        unread: how many registrations could not be read.
    """

    known: Mapping[Identity, int] = field(default_factory=dict)
    run: str = ""
    unread: int = 0


def render(diagnostics: Iterable[Diagnostic], file: Path, run: str = "", unread: int = 0) -> str:
    """Return the text of a baseline that is to stand in ``file``: sorted, a line a kind of finding, so that it merges."""
    counts = Counter(_seen_from(file, diagnostic) for diagnostic in diagnostics)
    entries = [
        {"path": key.path, "code": key.code, "op": key.op, "about": key.about, "count": count}
        for key, count in sorted(counts.items(), key=lambda item: (item[0].path, item[0]))
    ]
    lines = ",\n".join(
        f"    {json.dumps({name: value for name, value in entry.items() if value})}" for entry in entries
    )
    head = f'  "version": {_VERSION},\n  "run": {json.dumps(run)},\n  "unread": {unread},\n'
    return f'{{\n{head}  "findings": [\n{lines}\n  ]\n}}\n'


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
        known = {_identity(entry): int(entry["count"]) for entry in document["findings"]}
        return Baseline(known, str(document["run"]), int(document["unread"])), []
    except json.JSONDecodeError as error:
        return Baseline(), [_bad(source, f"no valid JSON: {error.msg.lower()}", error.pos)]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return Baseline(), [_bad(source, "this is no baseline of opgen")]


def new_findings(diagnostics: Iterable[Diagnostic], baseline: Baseline, file: Path) -> tuple[list[Diagnostic], int]:
    """Return the findings that a baseline does not know, and how many that it knows are no longer found.

    Of several with one identity as many are known as it counts. A known one that is missing stands for one of the same op in
    another file, whose file has another name now, and for one that is about fewer names: the others were mended.
    """
    left = Counter(baseline.known)
    unknown = []
    for diagnostic in diagnostics:
        key = _seen_from(file, diagnostic)
        if left[key] > 0:
            left[key] -= 1
        else:
            unknown.append((diagnostic, key))
    missing = defaultdict(list)
    for key in sorted(left.elements(), key=lambda one: len(one.about)):
        missing[key.code, key.op].append(set(key.about))
    new = [diagnostic for diagnostic, key in unknown if not _taken(missing[key.code, key.op], set(key.about))]
    return new, sum(map(len, missing.values()))


def _taken(known: list[set[str]], about: set[str]) -> bool:
    """Take the first of some known findings that is about these names, or about more; of an empty set about no more."""
    for names in known:
        if names == about or (about and about < names):
            known.remove(names)
            return True
    return False


def _seen_from(file: Path, diagnostic: Diagnostic) -> Identity:
    """Name its file from the folder of the baseline, so that that holds wherever opgen is started."""
    return identity(diagnostic, lambda path: relative(Path(path), file.parent).as_posix())


def _identity(entry: Mapping[str, Any]) -> Identity:
    code, path, op = (str(entry.get(name, "")) for name in ("code", "path", "op"))
    return Identity(code, path, op, tuple(map(str, entry.get("about", ()))))


def _bad(source: Source, message: str, at: int = 0) -> Diagnostic:
    place = Location(source, Span(at, min(at + 1, len(source.text))))
    return Diagnostic(BAD_BASELINE, message, place, BAD_BASELINE.remedy)
