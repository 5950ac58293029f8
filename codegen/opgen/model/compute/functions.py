"""The functions of expressions: how many arguments they take, and what comes out of them.

The table is the language's; ``docs/expressions.md`` shows it, and every target renders all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import get_args

from opgen.model.compute.nodes import ReductionFunction
from opgen.records import dataclass


class Result(Enum):
    """What a function makes of its arguments; the values are the words of the page."""

    FLOAT = "a floating-point value"
    SAME = "of the type of its arguments"
    TEST = "a truth value"


@dataclass(frozen=True, slots=True)
class Function:
    """One function.

    Attributes:
        name: as written.
        arity: how many arguments it takes.
        result: what it makes of them; of ``FLOAT`` and ``TEST`` the arguments are taken to a floating-point type first.
        meaning: for the page.
    """

    name: str
    arity: int
    result: Result
    meaning: str


_F, _S, _T = Result.FLOAT, Result.SAME, Result.TEST

_TABLE = (
    Function("exp", 1, _F, "e to the power of x"),
    Function("exp2", 1, _F, "2 to the power of x"),
    Function("expm1", 1, _F, "exp(x) - 1, exact near 0"),
    Function("log", 1, _F, "the natural logarithm"),
    Function("log2", 1, _F, "the logarithm to base 2"),
    Function("log10", 1, _F, "the logarithm to base 10"),
    Function("log1p", 1, _F, "log(1 + x), exact near 0"),
    Function("sqrt", 1, _F, "the square root"),
    Function("rsqrt", 1, _F, "1 / sqrt(x)"),
    Function("reciprocal", 1, _F, "1 / x"),
    Function("sin", 1, _F, "the sine of x in radians"),
    Function("cos", 1, _F, "the cosine"),
    Function("tan", 1, _F, "the tangent"),
    Function("asin", 1, _F, "the inverse of sin"),
    Function("acos", 1, _F, "the inverse of cos"),
    Function("atan", 1, _F, "the inverse of tan"),
    Function("atan2", 2, _F, "the angle of the point (second, first argument)"),
    Function("sinh", 1, _F, "the hyperbolic sine"),
    Function("cosh", 1, _F, "the hyperbolic cosine"),
    Function("tanh", 1, _F, "the hyperbolic tangent"),
    Function("asinh", 1, _F, "the inverse of sinh"),
    Function("acosh", 1, _F, "the inverse of cosh"),
    Function("atanh", 1, _F, "the inverse of tanh"),
    Function("erf", 1, _F, "the error function"),
    Function("erfc", 1, _F, "1 - erf(x), exact for large x"),
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
    Function("round", 1, _S, "rounded to the nearest integer, halves to the even one"),
    Function("trunc", 1, _S, "rounded toward 0"),
    Function("maximum", 2, _S, "the larger one; NaN if either is"),
    Function("minimum", 2, _S, "the smaller one; NaN if either is"),
    Function("clamp", 3, _S, "minimum(maximum(x, low), high)"),
    Function("pow", 2, _S, "x ** y"),
    Function("copysign", 2, _F, "the size of the first, the sign of the second"),
    Function("fmod", 2, _S, "the remainder with the sign of the first argument, as in C"),
    Function("isnan", 1, _T, "whether it is NaN"),
    Function("isinf", 1, _T, "whether it is infinite"),
    Function("isfinite", 1, _T, "whether it is neither"),
)

FUNCTIONS: Mapping[str, Function] = {function.name: function for function in _TABLE}
"""The functions by name, but for ``where``, ``given`` and ``index``, whose arguments are of several kinds."""

SPECIAL: Mapping[str, tuple[int, str]] = {
    "where": (3, "`a if condition else b`"),
    "given": (1, "whether an optional argument was passed"),
    "index": (1, "the place along a dim, from 0"),
}
"""What is called like a function: the number of arguments and the meaning."""

REDUCTIONS: Mapping[ReductionFunction, str] = {
    "sum": "the sum",
    "mean": "the mean",
    "prod": "the product",
    "max": "the largest; NaN if any is",
    "min": "the smallest; NaN if any is",
    "argmax": "the place of the first of the largest",
    "argmin": "the place of the first of the smallest",
    "any": "whether any truth value holds",
    "all": "whether all truth values hold",
    "logsumexp": "log(sum(exp(x))), without overflow",
    "var": "the variance; `correction=1` is subtracted from the count",
}
"""The reductions of ``reduce`` and their meaning."""

if set(REDUCTIONS) != set(get_args(ReductionFunction)):
    raise TypeError("REDUCTIONS misses a reduction of the program's nodes")

CONSTANTS: Mapping[str, float] = {
    "inf": float("inf"),
    "nan": float("nan"),
    "pi": 3.141592653589793,
}
"""Numbers that have a name, unless an argument or a size is called so."""
