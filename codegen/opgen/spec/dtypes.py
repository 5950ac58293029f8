"""The dtypes of PyTorch, and the classes of dtypes in ``tensors`` (``float``, ``integral``, ...).

Source: ``AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS`` in ``torch/headeronly/core/ScalarType.h``, without the
deprecated quantised types. Classes are explicit lists, since each member is tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

FLOAT8 = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
FLOAT = ("float16", "bfloat16", "float32", "float64")
INTEGRAL = ("uint8", "int8", "int16", "int32", "int64")
UNSIGNED = ("uint16", "uint32", "uint64")
COMPLEX = ("complex64", "complex128")

DTYPES: tuple[str, ...] = (
    *("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
    *("float4_e2m1fn_x2", "float8_e8m0fnu", *FLOAT8, *FLOAT, "complex32", *COMPLEX),
)
"""Every dtype by torch's name, narrow to wide, which is the order of dtypes in every set."""

CLASSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"float": FLOAT, "float8": FLOAT8, "integral": INTEGRAL, "complex": COMPLEX, "any": DTYPES}
)
"""Class name -> members.

``integral`` leaves out ``uint16`` and wider, which have few kernels in PyTorch; ``float8`` leaves out
``float8_e8m0fnu``, which holds scales and has neither zero nor sign.
"""

SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        "half": "float16",
        "double": "float64",
        "short": "int16",
        "int": "int32",
        "long": "int64",
        "chalf": "complex32",
        "cfloat": "complex64",
        "cdouble": "complex128",
        "fp16": "float16",
        "bf16": "bfloat16",
        "fp32": "float32",
        "fp64": "float64",
    }
)
"""Other names of dtypes (``half``, ``fp16``), for remedies only: in ``ops.yaml`` each dtype has one name."""


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Sort dtypes narrow to wide, each once."""
    return tuple(sorted(set(names), key=DTYPES.index))


def item_size(dtype: str) -> int:
    """Return the size of an element in bytes."""
    if dtype == "bool" or dtype.startswith(("float8", "float4")):
        return 1
    return int(dtype.lstrip("abcdefghijklmnopqrstuvwxyz")) // 8


def promote(left: str, right: str) -> str | None:
    """Return the dtype that ``torch.promote_types`` returns, or ``None`` if it raises an exception.

    Source: ``promoteTypes`` in ``c10/core/ScalarType.cpp``.
    """
    narrow, wide = sorted((left, right), key=DTYPES.index)
    if narrow == wide or (narrow in UNSIGNED and wide in FLOAT):
        return wide
    if narrow not in _PROMOTABLE or wide not in _PROMOTABLE:
        return None
    return _MEET_ABOVE.get((narrow, wide), wide)


_PROMOTABLE = frozenset(("bool", *INTEGRAL, *FLOAT, "complex32", *COMPLEX))
_MEET_ABOVE = {
    ("uint8", "int8"): "int16",
    ("float16", "bfloat16"): "float32",
    ("bfloat16", "complex32"): "complex64",
    ("float32", "complex32"): "complex64",
    ("float64", "complex32"): "complex128",
    ("float64", "complex64"): "complex128",
}
"""The promoted dtypes of pairs of which neither dtype can hold the values of the other."""
