"""The table of functions, reductions and constants of expressions.

``docs/expressions.md`` shows it, and every target must be able to render all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import get_args

from opgen.model.compute.nodes import ReductionFunction
from opgen.records import dataclass


class Result(Enum):
    """The type of a function's result; the values of the enum are shown in ``docs/expressions.md``."""

    FLOAT = "floating point"
    SAME = "type of the arguments"
    TEST = "boolean"


@dataclass(frozen=True, slots=True)
class Function:
    """One function.

    Attributes:
        name: the name in expressions.
        arity: the number of arguments.
        result: the type of the result; for ``FLOAT`` and ``TEST`` the arguments are converted to floating point first.
        meaning: the text in ``docs/expressions.md``.
    """

    name: str
    arity: int
    result: Result
    meaning: str


_F, _S, _T = Result.FLOAT, Result.SAME, Result.TEST

_TABLE = (
    Function("exp", 1, _F, "e to the power of x"),
    Function("exp2", 1, _F, "2 to the power of x"),
    Function("expm1", 1, _F, "exp(x) - 1, accurate near 0"),
    Function("log", 1, _F, "the natural logarithm"),
    Function("log2", 1, _F, "the base-2 logarithm"),
    Function("log10", 1, _F, "the base-10 logarithm"),
    Function("log1p", 1, _F, "log(1 + x), accurate near 0"),
    Function("sqrt", 1, _F, "the square root"),
    Function("rsqrt", 1, _F, "1 / sqrt(x)"),
    Function("reciprocal", 1, _F, "1 / x"),
    Function("sin", 1, _F, "the sine of x in radians"),
    Function("cos", 1, _F, "the cosine"),
    Function("tan", 1, _F, "the tangent"),
    Function("asin", 1, _F, "the inverse of sin"),
    Function("acos", 1, _F, "the inverse of cos"),
    Function("atan", 1, _F, "the inverse of tan"),
    Function("atan2", 2, _F, "the angle of the point (y, x), as in C: the first argument is the vertical coordinate"),
    Function("sinh", 1, _F, "the hyperbolic sine"),
    Function("cosh", 1, _F, "the hyperbolic cosine"),
    Function("tanh", 1, _F, "the hyperbolic tangent"),
    Function("asinh", 1, _F, "the inverse of sinh"),
    Function("acosh", 1, _F, "the inverse of cosh"),
    Function("atanh", 1, _F, "the inverse of tanh"),
    Function("erf", 1, _F, "the error function"),
    Function("erfc", 1, _F, "1 - erf(x), accurate for large x"),
    Function("sigmoid", 1, _F, "1 / (1 + exp(-x))"),
    Function("silu", 1, _F, "x * sigmoid(x)"),
    Function("gelu", 1, _F, "x * (1 + erf(x / sqrt(2))) / 2"),
    Function("gelu_tanh", 1, _F, "GELU approximated by tanh"),
    Function("softplus", 1, _F, "log(1 + exp(x))"),
    Function("relu", 1, _S, "maximum(x, 0)"),
    Function("abs", 1, _S, "the absolute value"),
    Function("sign", 1, _S, "-1, 0 or 1"),
    Function("square", 1, _S, "x * x"),
    Function("floor", 1, _S, "rounded down"),
    Function("ceil", 1, _S, "rounded up"),
    Function("round", 1, _S, "rounded to the nearest integer, halves to even"),
    Function("trunc", 1, _S, "rounded toward 0"),
    Function("maximum", 2, _S, "the larger one; NaN if either is NaN"),
    Function("minimum", 2, _S, "the smaller one; NaN if either is NaN"),
    Function("clamp", 3, _S, "minimum(maximum(x, y), z)"),
    Function("pow", 2, _S, "x ** y"),
    Function("copysign", 2, _F, "the magnitude of x with the sign of y"),
    Function("fmod", 2, _S, "the remainder with the sign of x, as in C"),
    Function("isnan", 1, _T, "whether x is NaN"),
    Function("isinf", 1, _T, "whether x is infinite"),
    Function("isfinite", 1, _T, "whether x is neither NaN nor infinite"),
)

FUNCTIONS: Mapping[str, Function] = {function.name: function for function in _TABLE}
"""The functions by name, without ``where``, ``given`` and ``index``, whose arguments differ in kind (``SPECIAL``)."""

SPECIAL: Mapping[str, tuple[int, str]] = {
    "where": (3, "`a if condition else b`"),
    "given": (1, "whether an optional argument was passed"),
    "index": (1, "the index along a dim, from 0"),
}
"""Special forms with the syntax of a call: the number of arguments and the meaning."""

REDUCTIONS: Mapping[ReductionFunction, str] = {
    "sum": "the sum",
    "mean": "the mean",
    "prod": "the product",
    "max": "the largest element; NaN if any is NaN",
    "min": "the smallest element; NaN if any is NaN",
    "argmax": "the index of the first largest element",
    "argmin": "the index of the first smallest element",
    "any": "whether any element is true",
    "all": "whether all elements are true",
    "logsumexp": "log(sum(exp(x))), without overflow",
    "var": "the variance; the divisor is the count minus `correction`, by default 1",
}
"""The reductions of ``reduce`` and their meaning."""

if set(REDUCTIONS) != set(get_args(ReductionFunction)):
    raise TypeError("REDUCTIONS misses a reduction of the program's nodes")

CONSTANTS: Mapping[str, float] = {
    "inf": float("inf"),
    "nan": float("nan"),
    "pi": 3.141592653589793,
}
"""Named numbers; an argument or a size of the same name hides them."""
