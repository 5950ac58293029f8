"""Where the readers of ``ops.yaml`` put what they find."""

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
    """A list of diagnostics, together with the key whose value is being read and an example of it, for messages."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    key: str = ""
    example: str = ""

    def under(self, key: str, example: str = "") -> Report:
        """Return the same list for the value of a key."""
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
        """Enter a finding; without a help of its own it gets the remedy of the code."""
        self.diagnostics.append(Diagnostic(code, message, place, help_ or code.remedy, notes=notes, fix=fix))

    def wrong_type(self, node: Node, expected: str, help_: str = "") -> None:
        """Say that a value is of another form than the key takes; the help is the example where there is no other."""
        if self.example and not help_:
            help_ = f"write it as in '{self.key}: {self.example}'"
        self.add(WRONG_TYPE, f"'{self.key}' expects {expected}, found {describe(node)}", node.location, help_)


def describe(node: Node) -> str:
    """Say in a few words what stands there."""
    if isinstance(node, Scalar):
        return "nothing" if node.is_missing else f"the text {shorten(node.text.value)}"
    return "a mapping" if isinstance(node, Mapping) else "a list"


def shorten(text: str, limit: int = 40) -> str:
    """Quote a text for a message, cut where it is long."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= limit else f"'{line[: limit - 1]}…'"
