"""Lints with a cache: a run with the same files and options as an earlier one returns the earlier findings.

The findings are cached, not their text, so that formats, colours, baselines and statistics may change. A cached result
is valid for the options in its key and the files in its record: every file that was read, by content, and every file
that was only checked for existence. Imports neither a parser nor a rule.
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
    """Lint all files of a run together, or return the cached result.

    Args:
        cache: the cache of results.
        sources: the files to lint.
        selection: the selection of findings to report.
        define: macros of the build, for C++.
    """
    key = "\n".join([versions(), str(Path.cwd()), *map(repr, (sources, selection, define))])
    kept = cache.read(key)
    remembered = _recall(kept) if kept is not None else None
    if remembered is not None:
        return remembered
    from opgen.build.lint.run import lint  # noqa: PLC0415 - imports parsers and rules

    linted = lint(sources, selection, define=define)
    record = _record(linted)
    if record is not None:
        cache.write(key, record)
    return linted


def _record(linted: Linted) -> str | None:
    """Return the text to cache; ``None`` if findings depend on more than the files that were read."""
    if any(one.code.id == BAD_INCLUDE.id for one in linted.found):  # depends on links, or on a file that may appear
        return None
    try:
        pack(linted.found, linted.sources)  # unreported findings too, as they may depend on other files
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
    """Return the cached result if every file is unchanged, else ``None``."""
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
