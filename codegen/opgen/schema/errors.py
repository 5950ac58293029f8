"""The class of errors in a schema, with offsets in its text."""

from __future__ import annotations

from opgen.diagnostics import Code
from opgen.diagnostics.fix import Applicability
from opgen.records import dataclass
from opgen.source import Span


@dataclass(frozen=True, slots=True)
class SchemaError:
    """A mistake for which PyTorch would refuse a schema.

    Attributes:
        code: the code of the diagnostic.
        message: the message.
        span: offsets in the schema's text.
        help: the remedy; empty for that of the code.
        replacement: the text that repairs the schema in place of ``span``; ``None`` if there is none.
        applicability: whether the replacement is safe to apply.
    """

    code: Code
    message: str
    span: Span
    help: str = ""
    replacement: str | None = None
    applicability: Applicability = "safe"
