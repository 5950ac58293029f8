"""PyTorch's dtypes by the names of ``torch`` and by those of ``c10::ScalarType``.

Source: ``AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS`` in ``torch/headeronly/core/ScalarType.h``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SCALAR_TYPE: Mapping[str, str] = MappingProxyType(
    {
        "uint8": "Byte",
        "int8": "Char",
        "int16": "Short",
        "int32": "Int",
        "int64": "Long",
        "float16": "Half",
        "float32": "Float",
        "float64": "Double",
        "complex32": "ComplexHalf",
        "complex64": "ComplexFloat",
        "complex128": "ComplexDouble",
        "bool": "Bool",
        "bfloat16": "BFloat16",
        "float8_e5m2": "Float8_e5m2",
        "float8_e4m3fn": "Float8_e4m3fn",
        "float8_e5m2fnuz": "Float8_e5m2fnuz",
        "float8_e4m3fnuz": "Float8_e4m3fnuz",
        "uint16": "UInt16",
        "uint32": "UInt32",
        "uint64": "UInt64",
        "float8_e8m0fnu": "Float8_e8m0fnu",
        "float4_e2m1fn_x2": "Float4_e2m1fn_x2",
    }
)


def scalar_type(name: str) -> str:
    """Return the enumerator of a dtype as generated checks spell it: ``float32`` -> ``checks::ScalarType::Float``."""
    return f"checks::ScalarType::{SCALAR_TYPE[name]}"


# Source: AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS in torch/headeronly/core/ScalarType.h. A dtype that has no
# element type of its own (float4_e2m1fn_x2: two elements a byte) is missing: nothing can be computed with it.
ELEMENT_TYPE: Mapping[str, str] = MappingProxyType(
    {
        "bool": "bool",
        "uint8": "uint8_t",
        "uint16": "uint16_t",
        "uint32": "uint32_t",
        "uint64": "uint64_t",
        "int8": "int8_t",
        "int16": "int16_t",
        "int32": "int32_t",
        "int64": "int64_t",
        "float8_e4m3fn": "Float8_e4m3fn",
        "float8_e4m3fnuz": "Float8_e4m3fnuz",
        "float8_e5m2": "Float8_e5m2",
        "float8_e5m2fnuz": "Float8_e5m2fnuz",
        "float8_e8m0fnu": "Float8_e8m0fnu",
        "float16": "Half",
        "bfloat16": "BFloat16",
        "float32": "float",
        "float64": "double",
        "complex32": "complex<Half>",
        "complex64": "complex<float>",
        "complex128": "complex<double>",
    }
)
"""The C++ types of elements, as ``support.h`` makes them visible."""


def element_type(name: str) -> str:
    """Return the C++ type that stands for a dtype in generated checks: ``float16`` -> ``Half``."""
    return ELEMENT_TYPE.get(name, f"torch::headeronly::{SCALAR_TYPE[name]}")
