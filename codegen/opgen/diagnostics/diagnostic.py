"""A diagnostic: one thing that is wrong, where, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.diagnostics.codes import Code, Severity
from opgen.diagnostics.fix import Fix
from opgen.records import dataclass
from opgen.source import Location


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that explains the first, e.g. where a name was declared before."""

    message: str
    location: Location


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. Users' mistakes are yielded as these; exceptions are for bugs.

    Attributes:
        code: the kind of mistake.
        message: what is wrong and what was expected, one sentence without a full stop, naming the argument.
        location: the place where the fix goes; ``None`` only for findings about no file.
        help: how to mend it, the repaired text where there is one.
        op: ``namespace::name`` with ``.overload`` where it has one; ``None`` outside of an op.
        notes: further places.
        severity_override: set where a profile changes the weight of the code.
        fix: edits that mend it, where they can be told.
    """

    code: Code
    message: str
    location: Location | None
    help: str = ""
    op: str | None = None
    notes: tuple[Note, ...] = ()
    severity_override: Severity | None = None
    fix: Fix | None = None

    @property
    def severity(self) -> Severity:
        """The weight of this finding."""
        return self.severity_override or self.code.severity


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Say whether any finding is an error."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


def ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort by place, then code, and drop exact repetitions."""

    def key(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
        place = diagnostic.location
        if place is None:
            return ("", 0, 0, diagnostic.code.id, diagnostic.message)
        return (place.source.path, place.span.start, place.span.end, diagnostic.code.id, diagnostic.message)

    unique = {key(diagnostic): diagnostic for diagnostic in diagnostics}
    return [unique[position] for position in sorted(unique)]
