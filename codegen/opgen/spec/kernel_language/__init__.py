"""The text language of ``pointwise`` and ``reduce``."""

from opgen.spec.kernel_language.parser import parse_kernel_expression

__all__ = ["parse_kernel_expression"]
