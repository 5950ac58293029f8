"""Findings about the modules that a live process has imported."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.build.codes import NO_TORCH
from opgen.build.lint.codes import MODULE_NOT_IMPORTED, SILENT_MODULE
from opgen.diagnostics import Diagnostic
from opgen.readers.registrations import Registrations


def module_findings(live: Registrations) -> Iterator[Diagnostic]:
    """Yield a finding for each module that can't be imported, as also torch, or that registers nothing."""
    for failure in live.failures:
        code = NO_TORCH if failure.location.source.text == "torch" else MODULE_NOT_IMPORTED
        yield Diagnostic(code, failure.reason, failure.location, code.remedy)
    for place in live.silent:
        message = f"importing '{place.source.text}' registers no op"
        yield Diagnostic(SILENT_MODULE, message, place, SILENT_MODULE.remedy)
