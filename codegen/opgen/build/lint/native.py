"""Lints the schemas in ``native_functions.yaml``, by the profile of their namespace."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.readers.native_functions import read_native_functions
from opgen.rules.registrations.joined import join
from opgen.rules.registrations.schemas import schema_findings
from opgen.rules.registrations.two_definitions import check as two_definitions
from opgen.source import Location
from opgen.spec.yaml import Read


def judge_native_functions(paths: Iterable[Path], read: Read) -> tuple[list[Diagnostic], list[Location]]:
    """Return all findings, and the location of each op that was read."""
    found: list[Diagnostic] = []
    sources = []
    for path in paths:
        source, problems = read(path)
        found += problems
        sources += [source] if source is not None else []
    registrations, problems = read_native_functions(sources)
    joined = join(registrations)
    found += [*problems, *schema_findings(joined), *two_definitions(joined)]
    return found, [definition.location for definition in registrations.definitions]
