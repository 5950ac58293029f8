"""Lint, or remember: a run whose files and options are those of an earlier one has its findings.

What is kept are the findings, not their text, so that formats, colours, baselines and statistics are free to change. A result
holds for the options that it is kept under and for the files that it names: every file that was read, by content, and every
file that was only looked for. Imports neither a parser nor a rule.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from opgen.build.cache import Cache, versions
from opgen.build.collect import Sources
from opgen.build.lint.packed import NotSelfContainedError, pack, unpack
from opgen.build.lint.result import Linted, Tally
from opgen.build.lint.selection import Selection
from opgen.source import Source
from opgen.spec.codes import BAD_INCLUDE
from opgen.spec.yaml import read_source


def lint_or_remember(cache: Cache, sources: Sources, selection: Selection, define: Mapping[str, str]) -> Linted:
    """Judge all files of a run together, unless that was done before.

    Args:
        cache: where results are kept.
        sources: what to read.
        selection: which findings are reported.
        define: macros of the build, for C++.
    """
    key = "\n".join([versions(), str(Path.cwd()), *map(repr, (sources, selection, define))])
    kept = cache.read(key)
    remembered = _recall(kept) if kept is not None else None
    if remembered is not None:
        return remembered
    from opgen.build.lint.run import lint  # noqa: PLC0415 - parsers, rules and all that they need

    linted = lint(sources, selection, define=define)
    record = _record(linted)
    if record is not None:
        cache.write(key, record)
    return linted


def _record(linted: Linted) -> str | None:
    """Return the text to keep; ``None`` where findings hang on more than the files that were read."""
    if any(one.code.id == BAD_INCLUDE.id for one in linted.found):  # about what links lead to, or a file that may come
        return None
    try:
        pack(linted.found, linted.sources)  # also what is not reported: it may be gone when another file is there
        findings = pack(linted.reported, linted.sources)
    except NotSelfContainedError:
        return None
    tally = linted.tally
    return json.dumps(
        {
            "sources": {path: _digest(source) for path, source in linted.sources.items()},
            "looked_for": dict(linted.looked_for),
            "tally": tally and [tally.definitions, tally.implementations, tally.files, tally.unread, tally.macros],
            **findings,
        }
    )


def _recall(text: str) -> Linted | None:
    """Return what was kept, if every file is as it was."""
    record = json.loads(text)
    if any(Path(path).is_file() != was_there for path, was_there in record["looked_for"].items()):
        return None
    sources = _read(record["sources"])
    if {path: _digest(source) for path, source in sources.items()} != record["sources"]:
        return None
    found = unpack(record, sources)
    definitions, implementations, files, unread, macros = record["tally"] or (0, 0, 0, (), ())
    tally = Tally(definitions, implementations, files, tuple(unread), macros=tuple(macros)) if record["tally"] else None
    return Linted(found, found, tally, sources, record["looked_for"])


def _read(paths: Iterable[str]) -> dict[str, Source]:
    read = (read_source(Path(path))[0] for path in paths)
    return {source.path: source for source in read if source is not None}


def _digest(source: Source) -> str:
    return hashlib.sha256(source.text.encode("utf-8")).hexdigest()
