"""Baselines: files with the findings that a project had when it adopted the linter, which are not reported."""

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
"""Version 1 identified a finding by a hash of the marked text, so that any edit of a schema made it a new one."""

_REMEDY = "name a file that `opgen lint --write-baseline` has written"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The content of a baseline file.

    Attributes:
        known: how many findings of each identity are not reported; its paths are relative to the file's folder.
        run: what was linted, as the arguments of a command line.
        unread: how many registrations could not be read.
    """

    known: Mapping[Identity, int] = field(default_factory=dict)
    run: str = ""
    unread: int = 0


def render(diagnostics: Iterable[Diagnostic], file: Path, run: str = "", unread: int = 0) -> str:
    """Return the text of a baseline for ``file``: one line for each identity, sorted, so that merges are easy."""
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
    """Return the content of a baseline, and diagnostics if the file is damaged."""
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
    """Return the findings that are not in a baseline, and how many of those in it are no longer found.

    A baseline covers as many findings of an identity as it counts. One that is no longer found covers instead a new finding
    with the same code and op: in another file, as the file was renamed, or about fewer names, as the others were fixed.
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
    """Remove the first known finding about these names or, if there are any, about more; return false if none is."""
    for names in known:
        if names == about or (about and about < names):
            known.remove(names)
            return True
    return False


def _seen_from(file: Path, diagnostic: Diagnostic) -> Identity:
    """Return the identity with a path relative to the baseline's folder, the same from any working directory."""
    return identity(diagnostic, lambda path: relative(Path(path), file.parent).as_posix())


def _identity(entry: Mapping[str, Any]) -> Identity:
    code, path, op = (str(entry.get(name, "")) for name in ("code", "path", "op"))
    return Identity(code, path, op, tuple(map(str, entry.get("about", ()))))


def _bad(source: Source, message: str, at: int = 0) -> Diagnostic:
    place = Location(source, Span(at, min(at + 1, len(source.text))))
    return Diagnostic(BAD_BASELINE, message, place, BAD_BASELINE.remedy)
