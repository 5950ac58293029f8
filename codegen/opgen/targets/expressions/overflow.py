"""Tells which arithmetic may overflow the 64 bits of a size: any with an integer argument, and products of sizes.

A size by itself is bounded by memory. Python's integers don't overflow, so the fake must check it explicitly in order
to refuse the same calls.
"""

from __future__ import annotations

from opgen.spec.expression import Binary, Call, Conditional, Constant, Expression, Item, Name, Negative
from opgen.targets.expressions.names import Names

METHODS = {"+": "add", "-": "sub", "*": "mul"}
"""The methods of ``Checker`` for these operators, which refuse a call whose result does not fit into 64 bits."""


def may_overflow(binary: Binary, names: Names) -> bool:
    """Whether the result of an operation may not fit into 64 bits."""
    return binary.operator in METHODS and not is_float(binary, names) and is_unbounded(binary, names)


def is_unbounded(expression: Expression, names: Names) -> bool:
    """Whether an integer is not bounded by memory: it is computed from an argument, or is a product of sizes."""
    match expression:
        case Name(name) | Item(name, _):
            return name in names.arguments and not names.is_size(name)
        case Binary("*", left, right) if not isinstance(left, Constant) and not isinstance(right, Constant):
            return True
        case Binary(_, left, right) | Conditional(_, left, right):
            return is_unbounded(left, names) or is_unbounded(right, names)
        case Negative(operand):
            return is_unbounded(operand, names)
        case Call("min" | "max" | "ceil" | "prod", arguments):
            return any(is_unbounded(argument, names) for argument in arguments)
    return False


def is_float(expression: Expression, names: Names) -> bool:
    """Whether the value of a number is a ``double``."""
    match expression:
        case Constant(value):
            return isinstance(value, float)
        case Name(name):
            return names.type_name(name) in {"float", "Scalar"}
        case Binary(_, left, right) | Conditional(_, left, right):
            return is_float(left, names) or is_float(right, names)
        case Negative(operand):
            return is_float(operand, names)
        case Call("min" | "max", arguments):
            return any(is_float(argument, names) for argument in arguments)
    return False
