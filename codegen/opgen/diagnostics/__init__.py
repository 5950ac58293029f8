"""What opgen says to its user: codes, diagnostics and the ways to print them."""

from opgen.diagnostics.codes import Code, Severity
from opgen.diagnostics.diagnostic import Diagnostic, has_errors, ordered

__all__ = ["Code", "Diagnostic", "Severity", "has_errors", "ordered"]
