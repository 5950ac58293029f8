"""Collects the diagnostics of the readers of ``ops.yaml``."""

from __future__ import annotations

from dataclasses import field, replace

from opgen.diagnostics import Code, Diagnostic, Fix
from opgen.diagnostics.diagnostic import Note
from opgen.records import dataclass
from opgen.source import Location
from opgen.spec.codes import WRONG_TYPE
from opgen.spec.yaml import Mapping, Node, Scalar


@dataclass(frozen=True, slots=True)
class Report:
    """A list of diagnostics, and for messages the key that is being read and an example of its value."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    key: str = ""
    example: str = ""

    def under(self, key: str, example: str = "") -> Report:
        """Return a report on the value of a key, which adds to the same list."""
        return replace(self, key=key, example=example)

    def add(  # noqa: PLR0913, PLR0917 - the parts of a Diagnostic
        self,
        code: Code,
        message: str,
        place: Location,
        help_: str = "",
        notes: tuple[Note, ...] = (),
        fix: Fix | None = None,
    ) -> None:
        """Add a diagnostic; without ``help_`` it gets the remedy of the code."""
        self.diagnostics.append(Diagnostic(code, message, place, help_ or code.remedy, notes=notes, fix=fix))

    def wrong_type(self, node: Node, expected: str, help_: str = "") -> None:
        """Report a value that isn't of the key's form; without ``help_`` the example is shown."""
        if self.example and not help_:
            help_ = f"write it as in '{self.key}: {self.example}'"
        self.add(WRONG_TYPE, f"'{self.key}' expects {expected}, found {describe(node)}", node.location, help_)


def describe(node: Node) -> str:
    """Describe a node in a few words, for "found ..."."""
    if isinstance(node, Scalar):
        return "nothing" if node.is_missing else f"the text {shorten(node.text.value)}"
    return "a mapping" if isinstance(node, Mapping) else "a list"


def shorten(text: str, limit: int = 40) -> str:
    """Quote a text for a message, shortened to ``limit`` characters."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= limit else f"'{line[: limit - 1]}…'"
