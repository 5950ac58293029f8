"""The language of texts in ``tensors``, ``dtypes`` and ``checks``: grammar, parser and diagnostics."""

from opgen.spec.language.parser import parse_condition, parse_dtype, parse_tensor_form

__all__ = ["parse_condition", "parse_dtype", "parse_tensor_form"]
