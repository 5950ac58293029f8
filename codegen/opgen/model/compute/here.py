"""The state shared by the resolvers of expressions: the text being resolved, and what is known at that place."""

from __future__ import annotations

from dataclasses import field

from opgen.diagnostics import Code
from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.space import Space
from opgen.records import dataclass
from opgen.source import Span, Text
from opgen.spec.report import Report


@dataclass
class Here:
    """The state while the expressions of one op are resolved.

    Attributes:
        context: the op.
        space: its iteration space, to which each tensor that is read adds its axes.
        report: collects the mistakes.
        text: the text of the expression that is being resolved.
        given: the optional arguments that the conditions around the current place show to be given.
    """

    context: ExpressionContext
    space: Space
    report: Report
    text: Text = field(default_factory=lambda: Text.of(""))
    given: frozenset[str] = frozenset()

    def refuse(self, code: Code, span: Span, message: str, remedy: str = "") -> None:
        """Report a mistake at a span of the current text."""
        self.report.add(code, message, self.text.locate(span), remedy)
