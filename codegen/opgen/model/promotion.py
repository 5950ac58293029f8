"""Type promotion of concrete tensors and numbers, as by ``torch.result_type``.

Source: ``result_type`` and ``combine_categories`` in ``aten/src/ATen/native/TypeProperties.cpp``.
"""

from __future__ import annotations

from collections.abc import Iterable

from opgen.model.sample_values import SampleValue, TensorValue
from opgen.spec.dtypes import COMPLEX, FLOAT, FLOAT8, promote

_NUMBERS = {bool: "bool", int: "int64", float: "float32", complex: "complex64"}
"""The dtypes of Python numbers with the default ``torch.get_default_dtype()``."""

_COMPLEX = frozenset(("complex32", *COMPLEX))
_FLOATING = frozenset(("float8_e8m0fnu", *FLOAT8, *FLOAT))


def result_type(values: Iterable[SampleValue]) -> str | None:
    """Return the promoted dtype of tensors and numbers, or ``None`` if PyTorch refuses to promote them.

    Tensors with dims outrank tensors without dims, which outrank numbers: a value of lower rank takes part only if its
    category (integer, float, complex) is wider. ``None`` among the values is left out.
    """
    groups: tuple[list[str], list[str], list[str]] = ([], [], [])
    for value in values:
        if isinstance(value, TensorValue):
            groups[0 if value.shape else 1].append(value.dtype)
        elif type(value) in _NUMBERS:
            groups[2].append(_NUMBERS[type(value)])
    result: str | None = None
    for group in reversed([group for group in groups if group]):
        own: str | None = group[0]
        for dtype in group[1:]:
            own = own and promote(own, dtype)
        if own is None:
            return None
        result = own if result is None else _outrank(own, result)
    return result


def _outrank(higher: str, lower: str) -> str | None:
    if higher in _COMPLEX or (higher in _FLOATING and lower not in _COMPLEX):
        return higher
    if higher in _FLOATING:
        return promote(higher, "complex32")
    if higher == "bool" or lower in _FLOATING | _COMPLEX:
        return promote(higher, lower)
    return higher
