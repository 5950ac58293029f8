"""What a run of ``opgen lint`` has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from opgen.diagnostics import Diagnostic
from opgen.records import dataclass
from opgen.source import Source


@dataclass(frozen=True, slots=True)
class Tally:
    """How much of C++ and Python was read: what can't be read is no finding, and must not be taken for clean.

    Attributes:
        definitions: how many.
        implementations: how many.
        files: that were read.
        unread: registrations that can't be read, each with its place and the reason.
        in_process: operators that were found in a live process.
        macros: that make namespaces of definitions, and are not defined.
    """

    definitions: int
    implementations: int
    files: int
    unread: tuple[str, ...] = ()
    in_process: int = 0
    macros: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Linted:
    """What a run has found.

    Attributes:
        found: everything, for fixes to compare; of a run that was remembered only what is reported.
        reported: without what was silenced or not selected.
        tally: of registrations, where C++ or Python was read.
        sources: the files that were read, by the path that they are shown under.
        looked_for: the files that only had to be there, and whether they were.
        below: what is not reported since a higher severity was asked for.
    """

    found: tuple[Diagnostic, ...]
    reported: tuple[Diagnostic, ...]
    tally: Tally | None = None
    sources: Mapping[str, Source] = field(default_factory=dict)
    looked_for: Mapping[str, bool] = field(default_factory=dict)
    below: tuple[Diagnostic, ...] = ()
