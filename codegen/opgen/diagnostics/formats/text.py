"""The format for people: message, line with carets, help, notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.diagnostics.diagnostic import Diagnostic
from opgen.diagnostics.formats.sentence import sentence
from opgen.diagnostics.formats.snippet import snippet
from opgen.diagnostics.formats.summary import summary
from opgen.diagnostics.formats.terminal import Paint, painter, printable
from opgen.source import Location


def text(diagnostics: Sequence[Diagnostic], *, color: bool = False, columns: int = 0) -> str:
    """Print findings, a blank line between them, and a line that counts them.

    Lines of files are cut to the ``columns`` of a terminal; 0 where there is none.
    """
    paint = painter(color=color)
    blocks = ["\n".join(_block(diagnostic, paint, columns)) for diagnostic in diagnostics]
    return "\n\n".join([*blocks, summary(diagnostics)]) + "\n"


def place_of(location: Location | None) -> str:
    """Return ``path:line:column: ``, or nothing for a finding about no file."""
    if location is None:
        return ""
    path = printable(location.source.path)
    if not location.source.text:  # nothing of the file could be read
        return f"{path}: "
    return f"{path}:{location.start.line}:{location.start.column}: "


def _block(diagnostic: Diagnostic, paint: Paint, columns: int) -> Iterator[str]:
    style = diagnostic.severity.value
    where = paint(place_of(diagnostic.location), "bold")
    yield f"{where}{paint(f'{style}[{diagnostic.code.id}]', style)} {printable(sentence(diagnostic))}"
    if diagnostic.location is not None:
        yield from snippet(diagnostic.location, paint, style, columns)
    if diagnostic.help:
        yield f"  {paint('help:', 'bold')} {_indented(diagnostic.help)}"
    for note in diagnostic.notes:
        yield f"  {paint('note:', 'bold')} {place_of(note.location)}{printable(note.message)}"
        yield from (f"  {line}" for line in snippet(note.location, paint, "link", max(0, columns - 2)))
    yield paint(f"  opgen explain {diagnostic.code.id}", "dim")


def _indented(help_: str) -> str:
    """Lay a help of several lines out under its first one."""
    return "\n        ".join(printable(line) for line in help_.splitlines())
