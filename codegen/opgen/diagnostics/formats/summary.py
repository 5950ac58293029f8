"""The last line: how many findings of each weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from opgen.diagnostics.codes import Severity
from opgen.diagnostics.diagnostic import Diagnostic


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Count findings in a sentence, ``Found 3 errors, 1 warning.``."""
    counts = Counter(diagnostic.severity for diagnostic in diagnostics)
    parts = [
        f"{counts[severity]} {severity.value}{'s' * (counts[severity] > 1)}"
        for severity in Severity
        if counts[severity]
    ]
    return f"Found {', '.join(parts)}." if parts else "Nothing found."
