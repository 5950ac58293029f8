"""The last line: how many findings of each weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from opgen.diagnostics.codes import Severity
from opgen.diagnostics.diagnostic import Diagnostic


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Count findings in a sentence, ``Found 3 errors, 1 warning.``."""
    counted = counts(diagnostics)
    return f"Found {counted}." if counted else "Nothing found."


def counts(diagnostics: Iterable[Diagnostic]) -> str:
    """Count findings, the worst first, ``3 errors, 1 warning``; empty where there are none."""
    numbers = Counter(diagnostic.severity for diagnostic in diagnostics)
    present = (severity for severity in Severity if numbers[severity])
    return ", ".join(f"{numbers[one]} {one.value}{'s' * (numbers[one] > 1)}" for one in present)
