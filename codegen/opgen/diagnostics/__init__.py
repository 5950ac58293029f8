"""What opgen says to its user: codes, diagnostics and the ways to print them."""

from opgen.diagnostics.codes import Code, Severity
from opgen.diagnostics.diagnostic import Diagnostic, has_errors, ordered
from opgen.diagnostics.fix import Edit, Fix, fix_text

__all__ = ["Code", "Diagnostic", "Edit", "Fix", "Severity", "fix_text", "has_errors", "ordered"]
