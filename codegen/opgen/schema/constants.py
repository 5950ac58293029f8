"""The bare names that PyTorch accepts as defaults (``float32``, ``strided``), and the integers they stand for.

Sources: ``SchemaParser::parseSingleConstant`` in ``torch/csrc/jit/frontend/function_schema_parser.cpp``,
``c10::getStringToDtypeMap`` and ``c10/core/ScalarType.h``.
"""

from __future__ import annotations

ANY_TYPE_CONSTANTS = {"float": 6, "complex": 9, "long": 4, "strided": 0, "Mean": 1, "contiguous_format": 0}
"""Names accepted for every type that takes a constant, whether that makes sense or not."""

_DTYPES = (  # noqa: SIM905 - words, in the order of their numbers
    "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool qint8 quint8 qint32 bfloat16 "
    "quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16 float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz "
    "uint16 uint32 uint64 uint1 uint2 uint3 uint4 uint5 uint6 uint7 int1 int2 int3 int4 int5 int6 int7 float8_e8m0fnu "
    "float4_e2m1fn_x2"
).split()
_OTHER_NAMES = {
    "short": "int16",
    "int": "int32",
    "half": "float16",
    "double": "float64",
    "chalf": "complex32",
    "cfloat": "complex64",
    "cdouble": "complex128",
    "bit": "uint1",
}

DTYPE_CONSTANTS = {name: number for number, name in enumerate(_DTYPES)}
DTYPE_CONSTANTS |= {name: DTYPE_CONSTANTS[dtype] for name, dtype in _OTHER_NAMES.items()}
"""Names accepted for ``ScalarType``, ``ScalarType?`` and ``ScalarType[]`` only."""

DEVICE_TYPES = frozenset(
    "cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia "  # noqa: SIM905 - words
    "privateuseone".split()
)
"""The device types that a device string may begin with. Source: ``c10/core/Device.cpp``."""
