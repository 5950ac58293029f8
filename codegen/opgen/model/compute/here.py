"""Where an expression is being read: its text, and what is known there."""

from __future__ import annotations

from dataclasses import field

from opgen.diagnostics import Code
from opgen.model.compute.names import Surroundings
from opgen.model.compute.space import Space
from opgen.records import dataclass
from opgen.source import Span, Text
from opgen.spec.report import Report


@dataclass
class Here:
    """The place at which the expressions of one op are being read.

    Attributes:
        around: the op.
        space: its axes, which grow with the tensors that are read.
        report: takes the mistakes.
        text: that the expression stands in.
        given: the optional arguments that are there.
    """

    around: Surroundings
    space: Space
    report: Report
    text: Text = field(default_factory=lambda: Text.of(""))
    given: frozenset[str] = frozenset()

    def refuse(self, code: Code, span: Span, message: str, remedy: str = "") -> None:
        """Report a mistake in the text that is being read."""
        self.report.add(code, message, self.text.locate(span), remedy)
