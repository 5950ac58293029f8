"""Prints findings to stdout, and decides their exit status."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from opgen.cli.options import Ui
from opgen.diagnostics import Diagnostic, Severity
from opgen.diagnostics.formats import DOCUMENTS, FORMATS


def report(diagnostics: Sequence[Diagnostic], ui: Ui, format_: str = "text") -> None:
    """Print findings, if there are any, in one of the formats of ``lint``."""
    if diagnostics and format_ == "text":
        from opgen.diagnostics.formats.text import text  # only the requested format is imported

        ui.print(text(diagnostics, color=ui.colors(sys.stdout), columns=ui.columns(sys.stdout)))
    elif diagnostics or format_ in DOCUMENTS:
        ui.print(FORMATS[format_](diagnostics, color=ui.colors(sys.stdout)))


def report_problems(diagnostics: Iterable[Diagnostic], ui: Ui) -> None:
    """Print the findings of a command other than ``lint``; infos only with ``-v``."""
    report([diagnostic for diagnostic in diagnostics if ui.verbose or diagnostic.severity is not Severity.INFO], ui)


def weighs(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any finding makes the exit status 1, as all but infos do."""
    return any(diagnostic.severity is not Severity.INFO for diagnostic in diagnostics)
