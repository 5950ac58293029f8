"""The format of compilers: one line a finding."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.diagnostics.diagnostic import Diagnostic
from opgen.diagnostics.formats.sentence import sentence
from opgen.diagnostics.formats.summary import summary
from opgen.diagnostics.formats.terminal import painter, printable
from opgen.diagnostics.formats.text import place_of


def concise(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
    """Print ``path:line:column: error[OPG203] lib::f: message``, one a line, and a line that counts them."""
    paint = painter(color=color)
    lines = []
    for diagnostic in diagnostics:
        weight = diagnostic.severity.value
        label = paint(f"{weight}[{diagnostic.code.id}]", weight)
        lines.append(f"{place_of(diagnostic.location)}{label} {printable(sentence(diagnostic))}")
    return "\n".join([*lines, summary(diagnostics)]) + "\n"
