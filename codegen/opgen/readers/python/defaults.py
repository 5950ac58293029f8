"""Defaults of Python parameters as ``infer_schema`` writes them."""

from __future__ import annotations

import ast
import math

from opgen.readers.python.scope import Frame
from opgen.readers.python.values import Constant, Dictionary, Generic, Items, String, Symbol

_DTYPES = frozenset(
    "float16 half bfloat16 float32 float float64 double int8 int16 short int32 int int64 long uint8 uint16 uint32 uint64 bool"  # noqa: SIM905 - shorter than literals
    " complex32 chalf complex64 cfloat complex128 cdouble float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz"
    " float8_e8m0fnu float4_e2m1fn_x2 quint8 qint8 qint32 quint4x2 quint2x4".split()
)
_NAMES = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "chalf": "complex32",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
"""Synonym of a dtype -> its name in ``str(dtype)``, which ``infer_schema`` writes."""


def default_text(node: ast.expr, frame: Frame) -> tuple[str | None, str]:  # noqa: PLR0911 - a table of kinds
    """Return the text of a default and an empty reason; ``None`` and the reason if PyTorch refuses it.

    ``None`` with an empty reason means that the value isn't known.
    """
    if isinstance(node, ast.Call):
        function, arguments = frame.evaluate(node.func), [frame.evaluate(argument) for argument in node.args]
        match function, arguments:
            case Symbol("torch.device"), [String(text)]:
                return f'"{text.value}"', ""
            case Symbol("builtins.float"), [String(text)] if text.value.lower().lstrip("+-") in {
                "inf",
                "nan",
                "infinity",
            }:
                return str(float(text.value)), ""
    value = frame.evaluate(node)
    match value:
        case Constant(constant):
            return str(constant), ""
        case String(text):
            return f'"{text.value}"', ""
        case Symbol(path) if path.removeprefix("torch.") in _DTYPES and path.startswith("torch."):
            name = path.removeprefix("torch.")
            return _NAMES.get(name, name), ""
        case Symbol(path) if path in {"math.pi", "math.e", "math.tau", "math.inf", "math.nan"}:
            return str(getattr(math, path.removeprefix("math."))), ""
        case Items() | Dictionary() | Generic():
            return None, "it is no None, number, text, device or dtype"
    return None, ""
