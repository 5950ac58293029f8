"""The result of a run of ``opgen lint``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from opgen.diagnostics import Diagnostic
from opgen.records import dataclass
from opgen.source import Source


@dataclass(frozen=True, slots=True)
class Tally:
    """How much of C++ and Python was read, since a registration that can't be read must not be taken for clean.

    Attributes:
        definitions: the number of definitions.
        implementations: the number of implementations.
        files: the number of files that were read.
        unread: the registrations that can't be read, each with its location and the reason.
        in_process: the number of operators that were found in a live process.
        macros: the undefined macros that namespaces of definitions are made of.
    """

    definitions: int
    implementations: int
    files: int
    unread: tuple[str, ...] = ()
    in_process: int = 0
    macros: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linted:
    """The findings of a run.

    Attributes:
        found: all findings, which fixing compares; for a cached run only the reported ones.
        reported: the findings that are selected and not suppressed.
        tally: the counts of registrations; ``None`` if no C++ or Python was read.
        sources: shown path -> file that was read.
        looked_for: file that was only checked for existence -> whether it exists.
        below: the findings left out because their severity is below ``--severity``.
    """

    found: tuple[Diagnostic, ...]
    reported: tuple[Diagnostic, ...]
    tally: Tally | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)
    looked_for: Mapping[str, bool] = field(default_factory=dict)
    below: tuple[Diagnostic, ...] = ()
