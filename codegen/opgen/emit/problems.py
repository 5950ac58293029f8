"""Makes diagnostics from errors of the operating system."""

from __future__ import annotations

from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.emit import codes


def refused(root: Path, error: OSError, what: str) -> Diagnostic:
    """Return the diagnostic, as ``can't write 'generated/ops.py': permission denied``.

    Args:
        root: the project, to which paths below it are shown relative.
        error: the error.
        what: the verb, ``write``.
    """
    path, project = Path(error.filename or root).absolute(), root.absolute()
    is_below = path != project and path.is_relative_to(project)
    shown = path.relative_to(project).as_posix() if is_below else str(path)
    reason = (error.strerror or str(error)).lower()
    return Diagnostic(codes.UNUSABLE, f"can't {what} '{shown}': {reason}", None, help=codes.UNUSABLE.remedy)
