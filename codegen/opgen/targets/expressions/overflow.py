"""Which arithmetic may leave the 64 bits of a size: any with a number of the caller's, and products of sizes.

A size alone is bounded by memory. Python's integers have no bound, so that there too the checks must ask.
"""

from __future__ import annotations

from opgen.spec.expression import Binary, Call, Conditional, Constant, Expression, Item, Name, Negative
from opgen.targets.expressions.names import Names

METHODS = {"+": "add", "-": "sub", "*": "mul"}
"""The methods of ``Checker`` that compute, and refuse the call where the result does not fit."""


def may_overflow(binary: Binary, names: Names) -> bool:
    """Whether the result of an operation may not fit into 64 bits."""
    return binary.operator in METHODS and not is_float(binary, names) and is_unbounded(binary, names)


def is_unbounded(expression: Expression, names: Names) -> bool:
    """Whether an integer may be as large as the caller likes: it is computed from an argument, or a product of sizes."""
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
