"""The derivatives of operators and functions, built as values from an operation and the gradient of its result."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from opgen.model.compute.nodes import (
    Binary,
    BinaryOperator,
    Call,
    Compare,
    ComparisonOperator,
    Logical,
    Number,
    Select,
    Unary,
    Value,
    ValueType,
)
from opgen.model.compute.value_types import BOOL, as_float, join

ONE: Value = Number(1, ValueType("int", weak=True))
ZERO: Value = Number(0, ValueType("int", weak=True))


def number(value: float) -> Number:
    """Return a literal, which takes the dtype of the value it is combined with."""
    return Number(value, ValueType("int" if isinstance(value, int) else "float", weak=True))


def is_zero(value: Value) -> bool:
    """Whether a value is the number 0."""
    return isinstance(value, Number) and value.value == 0


def is_one(value: Value) -> bool:
    """Whether a value is the number 1."""
    return isinstance(value, Number) and value.value == 1 and not isinstance(value.value, bool)


def _binary(operator: BinaryOperator, left: Value, right: Value) -> Value:
    type_ = join(left.type, right.type)
    return Binary(operator, left, right, as_float(type_) if operator == "/" else type_)


def add(left: Value, right: Value) -> Value:
    """Add; the sum of two choices with one condition becomes a choice between sums."""
    if is_zero(left) or is_zero(right):
        return right if is_zero(left) else left
    if isinstance(left, Select) and isinstance(right, Select) and left.condition == right.condition:
        return choose(left.condition, add(left.then, right.then), add(left.otherwise, right.otherwise))
    return _binary("+", left, right)


def sub(left: Value, right: Value) -> Value:
    """Subtract."""
    return _binary("-", left, right)


def mul(left: Value, right: Value) -> Value:
    """Multiply."""
    if is_zero(left) or is_zero(right):
        return ZERO
    if is_one(left) or is_one(right):
        return right if is_one(left) else left
    return _binary("*", left, right)


def div(left: Value, right: Value) -> Value:
    """Divide."""
    return left if is_zero(left) or is_one(right) else _binary("/", left, right)


def neg(value: Value) -> Value:
    """Negate."""
    if isinstance(value, Unary) and value.operator == "-":
        return value.operand
    return value if is_zero(value) else Unary("-", value, value.type)


def call(name: str, *arguments: Value) -> Value:
    """Call a function of floating-point values."""
    type_ = arguments[0].type
    for argument in arguments[1:]:
        type_ = join(type_, argument.type)
    return Call(name, arguments, as_float(type_), as_float(type_))


def compare(operator: ComparisonOperator, left: Value, right: Value) -> Value:
    """Compare."""
    return Compare(operator, left, right, join(left.type, right.type), BOOL)


def choose(condition: Value, then: Value, otherwise: Value) -> Value:
    """Choose between two values, point by point."""
    if then == otherwise:
        return then
    return Select(condition, then, otherwise, join(then.type, otherwise.type))


Rule: TypeAlias = Callable[[Value, Value, Value], Value]
"""Maps a function's argument, its result and the gradient of the result to the gradient of the argument."""

_LN2, _LN10 = number(math.log(2)), number(math.log(10))
_TANH_SCALE, _TANH_CUBE = math.sqrt(2 / math.pi), 0.044715


def _square(x: Value) -> Value:
    return mul(x, x)


def _silu(x: Value, y: Value, g: Value) -> Value:
    s = call("sigmoid", x)
    return mul(g, add(s, mul(y, sub(ONE, s))))


def _gelu(x: Value, _: Value, g: Value) -> Value:
    cdf = mul(number(0.5), add(ONE, call("erf", mul(x, number(math.sqrt(0.5))))))
    pdf = mul(call("exp", mul(number(-0.5), _square(x))), number(1 / math.sqrt(2 * math.pi)))
    return mul(g, add(cdf, mul(x, pdf)))


def _gelu_tanh(x: Value, _: Value, g: Value) -> Value:
    square = _square(x)
    inner = mul(number(_TANH_SCALE), add(x, mul(number(_TANH_CUBE), mul(square, x))))
    t = call("tanh", inner)
    slope = mul(number(_TANH_SCALE), add(ONE, mul(number(3 * _TANH_CUBE), square)))
    half = number(0.5)
    return mul(g, add(mul(half, add(ONE, t)), mul(mul(mul(half, x), sub(ONE, _square(t))), slope)))


def _nothing(_x: Value, _y: Value, _g: Value) -> Value:
    return ZERO


UNARY: Mapping[str, Rule] = {
    "exp": lambda _, y, g: mul(g, y),
    "exp2": lambda _, y, g: mul(mul(g, y), _LN2),
    "expm1": lambda _, y, g: mul(g, add(y, ONE)),
    "log": lambda x, _, g: div(g, x),
    "log2": lambda x, _, g: div(g, mul(x, _LN2)),
    "log10": lambda x, _, g: div(g, mul(x, _LN10)),
    "log1p": lambda x, _, g: div(g, add(x, ONE)),
    "sqrt": lambda _, y, g: div(g, mul(number(2), y)),
    "rsqrt": lambda _, y, g: mul(mul(number(-0.5), g), mul(mul(y, y), y)),
    "reciprocal": lambda _, y, g: neg(mul(g, _square(y))),
    "sin": lambda x, _, g: mul(g, call("cos", x)),
    "cos": lambda x, _, g: neg(mul(g, call("sin", x))),
    "tan": lambda _, y, g: mul(g, add(_square(y), ONE)),
    "asin": lambda x, _, g: mul(g, call("rsqrt", sub(ONE, _square(x)))),
    "acos": lambda x, _, g: neg(mul(g, call("rsqrt", sub(ONE, _square(x))))),
    "atan": lambda x, _, g: div(g, add(_square(x), ONE)),
    "sinh": lambda x, _, g: mul(g, call("cosh", x)),
    "cosh": lambda x, _, g: mul(g, call("sinh", x)),
    "tanh": lambda _, y, g: mul(g, sub(ONE, _square(y))),
    "asinh": lambda x, _, g: mul(g, call("rsqrt", add(_square(x), ONE))),
    "acosh": lambda x, _, g: mul(g, call("rsqrt", sub(_square(x), ONE))),
    "atanh": lambda x, _, g: div(g, sub(ONE, _square(x))),
    "erf": lambda x, _, g: mul(mul(g, number(2 / math.sqrt(math.pi))), call("exp", neg(_square(x)))),
    "erfc": lambda x, _, g: mul(mul(g, number(-2 / math.sqrt(math.pi))), call("exp", neg(_square(x)))),
    "sigmoid": lambda _, y, g: mul(g, mul(y, sub(ONE, y))),
    "silu": _silu,
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "softplus": lambda x, _, g: mul(g, call("sigmoid", x)),
    "relu": lambda x, _, g: choose(compare("<=", x, ZERO), ZERO, g),
    "abs": lambda x, _, g: mul(g, replace_function("sign", x)),
    "square": lambda x, _, g: mul(g, mul(number(2), x)),
    **dict.fromkeys(("sign", "floor", "ceil", "round", "trunc"), _nothing),
}
"""The rules of the functions of one argument."""


def replace_function(name: str, x: Value) -> Value:
    """Call a function that keeps the type of its argument."""
    return Call(name, (x,), x.type, x.type)


def of_two(name: str, x: Value, y: Value, g: Value) -> tuple[Value, Value]:
    """Return the gradients of the arguments of a function of two."""
    if name == "atan2":
        size = add(_square(x), _square(y))
        scale = choose(compare("==", size, ZERO), ZERO, div(g, size))
        return mul(scale, y), neg(mul(scale, x))
    if name in ("maximum", "minimum"):
        # Equal arguments share the gradient, as in PyTorch (`maximum`, tools/autograd/derivatives.yaml).
        signs: tuple[ComparisonOperator, ComparisonOperator] = ("<", ">") if name == "maximum" else (">", "<")
        shared = choose(compare("==", x, y), mul(g, number(0.5)), g)
        return choose(compare(signs[0], x, y), ZERO, shared), choose(compare(signs[1], x, y), ZERO, shared)
    if name == "copysign":
        return mul(g, mul(replace_function("sign", x), call("copysign", replace(ONE, type=g.type), y))), ZERO
    if name == "fmod":
        return g, neg(mul(g, replace_function("trunc", div(x, y))))
    raise ValueError(f"{name} has no rule")


def of_bounded(name: str, x: Value, bound: Value, g: Value) -> Value:
    """Return the gradient of ``maximum`` or ``minimum`` of ``x`` and a number: of all of it where both are equal.

    Source: ``clamp_backward`` in ``torch/csrc/autograd/FunctionsManual.cpp``.
    """
    return choose(compare(">=" if name == "maximum" else "<=", x, bound), g, ZERO)


def of_operator(  # noqa: PLR0911 - one case an operator
    operator: BinaryOperator, x: Value, y: Value, z: Value, g: Value
) -> tuple[Value, Value]:
    """Return the gradients of the operands ``x`` and ``y`` of an operation with the result ``z``."""
    match operator:
        case "+":
            return g, g
        case "-":
            return g, neg(g)
        case "*":
            return mul(g, y), mul(g, x)
        case "/":
            return div(g, y), neg(div(mul(g, z), y))
        case "%":
            return g, neg(mul(g, _binary("//", x, y)))
        case "**":
            return _power_base(x, y, g), _power_exponent(x, y, z, g)
    return ZERO, ZERO


def _power_base(x: Value, y: Value, g: Value) -> Value:
    if isinstance(y, Number) and not isinstance(y.value, bool):
        if y.value == 0:
            return ZERO
        lower = y.value - 1
        return mul(g, mul(y, x if lower == 1 else ONE if lower == 0 else _binary("**", x, number(lower))))
    slope = mul(g, mul(y, _binary("**", x, sub(y, ONE))))
    return choose(compare("==", y, ZERO), ZERO, slope)


def _power_exponent(x: Value, y: Value, z: Value, g: Value) -> Value:
    """Source: ``pow_backward_exponent`` in ``torch/csrc/autograd/FunctionsManual.cpp``."""
    if isinstance(y, Number):
        return ZERO
    is_flat = Logical("and", (compare("==", x, ZERO), compare(">=", y, ZERO)), BOOL)
    return choose(is_flat, ZERO, mul(g, mul(z, call("log", x))))
