"""Functions of other libraries and languages that expressions lack, with what to write instead."""

from __future__ import annotations

from collections.abc import Mapping

_WRITE = {
    # under another name here
    "max": "maximum(a, b)",
    "min": "minimum(a, b)",
    "fmax": "maximum(a, b)",
    "fmin": "minimum(a, b)",
    "fmaxf": "maximum(a, b)",
    "fminf": "minimum(a, b)",
    "absolute": "abs(x)",
    "fabs": "abs(x)",
    "fabsf": "abs(x)",
    "ln": "log(x)",
    "rint": "round(x)",
    "nearbyint": "round(x)",
    "remainder": "x % y",
    "mod": "x % y",
    "swish": "silu(x)",
    "signbit": "x < 0",
    "logical_not": "not x",
    "logical_and": "x and y",
    "logical_or": "x or y",
    "logical_xor": "x != y",
    "arange": "index(n)",
    # operators
    "power": "x ** y",
    "neg": "-x",
    "negative": "-x",
    "add": "x + y",
    "sub": "x - y",
    "subtract": "x - y",
    "mul": "x * y",
    "multiply": "x * y",
    "div": "x / y",
    "divide": "x / y",
    "true_divide": "x / y",
    "floor_divide": "x // y",
    "eq": "x == y",
    "ne": "x != y",
    "lt": "x < y",
    "le": "x <= y",
    "gt": "x > y",
    "ge": "x >= y",
    "fma": "x * y + z",
    "lerp": "x + w * (y - x)",
    # compositions of other functions
    "hypot": "sqrt(x * x + y * y)",
    "leaky_relu": "x if x > 0 else 0.01 * x",
    "relu6": "clamp(x, 0, 6)",
    "hardtanh": "clamp(x, -1, 1)",
    "elu": "x if x > 0 else expm1(x)",
    "nan_to_num": "0 if isnan(x) else x",
}
_SAY = {
    "softmax": "write it out: `reduce: {m: max(x, n), s: sum(exp(x - m), n)}`",
    "std": "write `reduce: {v: var(x, n)}`, and `sqrt(v)`",
    "norm": "write `reduce: {s: sum(x * x, n)}`, and `sqrt(s)`",
    "cast": "cast by the name of a dtype, `float32(x)`",
    "float": "write `float32(x)`, or another dtype of torch",
    "int": "write `int32(x)`, or another dtype of torch",
    "len": "sizes are written by the names of dims",
    "size": "sizes are written by the names of dims",
    "numel": "sizes are written by the names of dims",
}
FUNCTIONS_ELSEWHERE: Mapping[str, str] = {**{name: f"write `{text}`" for name, text in _WRITE.items()}, **_SAY}
"""Function that doesn't exist here -> remedy."""
