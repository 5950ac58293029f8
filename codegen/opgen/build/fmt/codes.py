"""The code of failures of ``opgen fmt`` itself."""

from __future__ import annotations

from opgen.diagnostics.codes import Code, Severity

UNPROVED_LAYOUT = Code(
    id="OPG180",
    name="unproved-layout",
    severity=Severity.ERROR,
    summary="`opgen fmt` leaves a file alone, because the new text would mean something else or lack a comment.",
    why=(
        "A formatter changes layout only. Each new text is read back and compared with the old one before it is "
        "written; a difference is a bug in opgen."
    ),
    remedy="report it with the file; `opgen fmt` is not needed for anything else, and the other files are formatted",
)
