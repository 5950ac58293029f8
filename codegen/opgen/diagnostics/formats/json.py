"""The format for programs: a JSON list, in ASCII so that it survives every locale."""

from __future__ import annotations

import json
from collections.abc import Sequence

from opgen.diagnostics.diagnostic import Diagnostic
from opgen.diagnostics.fix import Fix


def json_list(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
    """Print one object a finding; lines and columns count from 1, and an end is behind the last character."""
    del color  # JSON has none
    return json.dumps([_object(diagnostic) for diagnostic in diagnostics], indent=2) + "\n"


def _object(diagnostic: Diagnostic) -> dict[str, object]:
    place = diagnostic.location
    return {
        "code": diagnostic.code.id,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "path": place.source.path if place else None,
        "line": place.start.line if place else None,
        "column": place.start.column if place else None,
        "end_line": place.end.line if place else None,
        "end_column": place.end.column if place else None,
        "op": diagnostic.op,
        "help": diagnostic.help or None,
        "fix": _fix(diagnostic.fix) if diagnostic.fix else None,
    }


def _fix(fix: Fix) -> dict[str, object]:
    return {
        "title": fix.title,
        "applicability": fix.applicability,
        "edits": [
            {
                "path": edit.location.source.path,
                "line": edit.location.start.line,
                "column": edit.location.start.column,
                "end_line": edit.location.end.line,
                "end_column": edit.location.end.column,
                "replacement": edit.replacement,
            }
            for edit in fix.edits
        ],
    }
