"""The mistakes of one schema, with places in its text."""

from __future__ import annotations

from opgen.diagnostics import Code
from opgen.diagnostics.fix import Applicability
from opgen.records import dataclass
from opgen.source import Span


@dataclass(frozen=True, slots=True)
class SchemaError:
    """One thing that PyTorch would refuse; ``span`` holds offsets in the schema's text.

    ``replacement`` mends it when it stands there instead; ``None`` where no text would.
    """

    code: Code
    message: str
    span: Span
    help: str = ""
    replacement: str | None = None
    applicability: Applicability = "safe"
