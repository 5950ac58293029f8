"""Findings on stdout, and what they weigh."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from opgen.cli.options import Ui
from opgen.diagnostics import Diagnostic, Severity
from opgen.diagnostics.formats import DOCUMENTS, FORMATS


def report(diagnostics: Sequence[Diagnostic], ui: Ui, format_: str = "text") -> None:
    """Print findings, if there are any, in one of the formats that ``lint`` knows."""
    if diagnostics and format_ == "text":
        from opgen.diagnostics.formats.text import text  # a format is imported where it is asked for

        ui.print(text(diagnostics, color=ui.colors(sys.stdout), columns=ui.columns(sys.stdout)))
    elif diagnostics or format_ in DOCUMENTS:
        ui.print(FORMATS[format_](diagnostics, color=ui.colors(sys.stdout)))


def report_problems(diagnostics: Iterable[Diagnostic], ui: Ui) -> None:
    """Print what a verb met on its way; infos are left to ``lint`` and to ``-v``."""
    report([diagnostic for diagnostic in diagnostics if ui.verbose or diagnostic.severity is not Severity.INFO], ui)


def weighs(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any finding is worth an exit status of 1; infos are not."""
    return any(diagnostic.severity is not Severity.INFO for diagnostic in diagnostics)
