"""The text language of ``tensors``, ``dtypes`` and ``checks``."""

from opgen.spec.language.parser import parse_condition, parse_dtype, parse_tensor_form

__all__ = ["parse_condition", "parse_dtype", "parse_tensor_form"]
