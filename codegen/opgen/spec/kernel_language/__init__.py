"""The language of expressions in ``pointwise`` and ``reduce``: parser and diagnostics."""

from opgen.spec.kernel_language.parser import parse_kernel_expression

__all__ = ["parse_kernel_expression"]
