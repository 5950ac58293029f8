"""A code: the identity, documentation and examples of one kind of mistake."""

from __future__ import annotations

from enum import Enum

from opgen.records import dataclass


class Severity(Enum):
    """How bad a finding is; the values are what JSON shows."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    def reaches(self, least: Severity) -> bool:
        """Whether this is as bad as another severity, or worse."""
        order = list(Severity)
        return order.index(self) <= order.index(least)


@dataclass(frozen=True, slots=True)
class Example:
    """A file that does, or does not, have the mistake, with what it needs ``beside`` it. Every example is run as a test."""

    text: str
    path: str = "ops.yaml"
    beside: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of mistake and its page (``opgen explain``).

    Attributes:
        id: ``OPG`` and three digits; the first digit is the category (1 syntax and YAML, 2 contract, 3 naming, 4 types
            and defaults, 5 registration, 6 compile and export, 7 breaking changes, 8 build and ABI).
        name: kebab-case; what is asked for or what is wrong, e.g. ``shared-alias-set``.
        severity: what a finding of this code weighs.
        summary: a sentence, shown by ``opgen rules``.
        why: what goes wrong without it, in sentences, with the source of the rule (a file or doc section of PyTorch).
        remedy: how to mend it, in the imperative; as the help of a finding it begins small and ends without a full stop.
        bad: a file that has the mistake and no other finding of error severity; ``None`` where no file alone can.
        good: the repaired file; clean of this code.
    """

    id: str
    name: str
    severity: Severity
    summary: str
    why: str
    remedy: str
    bad: Example | None = None
    good: Example | None = None

    @property
    def is_reading(self) -> bool:
        """Whether the mistake is one of syntax, so that what stands there was not judged by any rule."""
        return self.id.startswith("OPG1")
