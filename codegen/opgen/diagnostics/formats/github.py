"""The format of GitHub Actions: workflow commands that annotate the lines of a pull request.

Source: docs.github.com, "Workflow commands for GitHub Actions"; the escapes are those of the toolkit's
``packages/core/src/command.ts``.
"""

from __future__ import annotations

from collections.abc import Sequence

from opgen.diagnostics.codes import Severity
from opgen.diagnostics.diagnostic import Diagnostic
from opgen.diagnostics.formats.sentence import sentence

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
    """Print ``::error file=ops.yaml,line=4,col=3,…::message``, one a line; nothing where there are no findings."""
    del color  # the log colours annotations itself
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, object] = {"title": f"{diagnostic.code.id} {diagnostic.code.name}"}
    place = diagnostic.location
    if place is not None:
        properties["file"] = place.source.path
        if place.source.text:
            properties |= {"line": place.start.line, "endLine": place.end.line}
            if place.start.line == place.end.line:  # columns of two lines are refused
                properties |= {"col": place.start.column, "endColumn": place.end.column}
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = sentence(diagnostic) + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
