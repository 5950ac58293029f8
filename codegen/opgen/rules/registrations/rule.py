"""The class of rules over registrations, and helpers for writing such rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from opgen.diagnostics import Code, Diagnostic, Fix
from opgen.diagnostics.codes import Example
from opgen.diagnostics.diagnostic import Note
from opgen.records import dataclass
from opgen.rules.registrations.joined import Joined
from opgen.source import Location

RegistrationCheck: TypeAlias = Callable[[Joined], Iterator[Diagnostic]]


@dataclass(frozen=True, slots=True)
class RegistrationRule:
    """One kind of mistake.

    Attributes:
        code: its code, with its page; bad and good example, which are whole sources, are its tests.
        check: yields a diagnostic for each place with the mistake.
        sees_named: whether it also sees sources that are only named by a declaration, and not to be checked themselves.
    """

    code: Code
    check: RegistrationCheck
    sees_named: bool = False


def found_at(  # noqa: PLR0913 - the parts of a Diagnostic
    code: Code,
    op: str | None,
    message: str,
    place: Location,
    *,
    help: str = "",  # noqa: A002 - the name of the field that it fills
    notes: tuple[Note, ...] = (),
    fix: Fix | None = None,
) -> Diagnostic:
    """Make a diagnostic about an op at a place in a source."""
    return Diagnostic(code, message, place, help or code.remedy, op, notes, fix=fix)


def cpp(text: str) -> Example:
    """Make an example of a C++ source."""
    return Example(text, "csrc/ops.cpp")


def python(text: str, *beside: Example) -> Example:
    """Make an example of a Python source."""
    return Example(text, "mylib/ops.py", beside)
