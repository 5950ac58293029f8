"""What is said about a library that is valid, but beyond this release."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity

UNSUPPORTED = Code(
    id="OPG890",
    name="not-generated-yet",
    severity=Severity.ERROR,
    summary="The declaration is valid, but this release can't generate code for it.",
    why="Nothing is left out silently: a library that is generated does all that its declaration says.",
    remedy="leave it out for now; `opgen lint` checks it already",
)
