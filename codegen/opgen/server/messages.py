"""From findings and places of opgen to those of the Language Server Protocol.

A position there counts lines from 0, and columns in units of the encoding that client and server have agreed on
(https://microsoft.github.io/language-server-protocol, "Position", "PositionEncodingKind").
"""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from opgen.diagnostics import Diagnostic, Fix, Severity
from opgen.records import dataclass
from opgen.source import Location, Position, Source

_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""Python's name of each encoding, and the bytes of its units."""


@dataclass(frozen=True, slots=True)
class Messages:
    """Translates.

    Attributes:
        encoding: of positions, ``utf-16`` unless a client prefers another one.
    """

    encoding: str = "utf-16"

    def finding(self, diagnostic: Diagnostic) -> lsp.Diagnostic:
        """Return a finding as an editor shows it; one of a whole file stands at its beginning."""
        place = diagnostic.location
        message = diagnostic.message + (f"\n{diagnostic.help}" if diagnostic.help else "")
        notes = [
            lsp.DiagnosticRelatedInformation(self.location(note.location), note.message) for note in diagnostic.notes
        ]
        return lsp.Diagnostic(
            range=self.range_of(place) if place else lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)),
            message=message,
            severity=_SEVERITY[diagnostic.severity],
            code=diagnostic.code.id,
            source="opgen",
            related_information=notes or None,
        )

    def quick_fix(self, diagnostic: Diagnostic, fix: Fix) -> lsp.CodeAction:
        """Return what an editor offers beside a finding; a fix that may change meaning is offered second."""
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in fix.edits:
            uri = _path(edit.location.source).as_uri()
            changes.setdefault(uri, []).append(lsp.TextEdit(self.range_of(edit.location), edit.replacement))
        return lsp.CodeAction(
            title=f"{fix.title} ({diagnostic.code.id})",
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[self.finding(diagnostic)],
            is_preferred=fix.applicability == "safe",
            edit=lsp.WorkspaceEdit(changes=changes),
        )

    def location(self, place: Location) -> lsp.Location:
        """Return a place with its file."""
        return lsp.Location(_path(place.source).as_uri(), self.range_of(place))

    def range_of(self, place: Location) -> lsp.Range:
        """Return a place within its file."""
        return lsp.Range(self._position(place.source, place.start), self._position(place.source, place.end))

    def offset_of(self, source: Source, position: lsp.Position) -> int:
        """Return the character at a position; past the end of a line it is the line's end."""
        lines = source.text.split("\n")
        before = sum(len(line) + 1 for line in lines[: position.line])
        line = lines[position.line].rstrip("\r") if position.line < len(lines) else ""
        name, size = _UNITS[self.encoding]
        return before + len(line.encode(name, "surrogatepass")[: size * position.character].decode(name, "ignore"))

    def _position(self, source: Source, position: Position) -> lsp.Position:
        before = source.line(position.line)[: position.column - 1]
        name, size = _UNITS[self.encoding]
        return lsp.Position(position.line - 1, len(before.encode(name, "surrogatepass")) // size)


def _path(source: Source) -> Path:
    return Path(source.path).absolute()
