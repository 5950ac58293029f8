"""Prints entries of ``pointwise`` and ``reduce`` as an author would write them, with the fewest parentheses."""

from __future__ import annotations

from enum import IntEnum

from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Constant, Name


class Tightness(IntEnum):
    """The precedence of the outermost operator of a text, lowest first, as in Python."""

    CHOICE = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    BIT_OR = 5
    BIT_XOR = 6
    BIT_AND = 7
    SHIFT = 8
    SUM = 9
    PRODUCT = 10
    SIGN = 11
    POWER = 12
    ATOM = 13


OPERATORS: dict[str, Tightness] = {
    "|": Tightness.BIT_OR,
    "^": Tightness.BIT_XOR,
    "&": Tightness.BIT_AND,
    "<<": Tightness.SHIFT,
    ">>": Tightness.SHIFT,
    "+": Tightness.SUM,
    "-": Tightness.SUM,
    "*": Tightness.PRODUCT,
    "/": Tightness.PRODUCT,
    "//": Tightness.PRODUCT,
    "%": Tightness.PRODUCT,
    "**": Tightness.POWER,
}
"""The precedences of binary operators; all but ``**`` are left-associative."""


def render(node: ke.Written | ke.Pack | ke.Keyword, at_least: Tightness = Tightness.CHOICE) -> str:
    """Render a node, in parentheses if its precedence is below ``at_least``."""
    text, tightness = _piece(node)
    return f"({text})" if tightness < at_least else text


def _piece(node: ke.Written | ke.Pack | ke.Keyword) -> tuple[str, Tightness]:  # noqa: C901, PLR0911 - one case a node
    match node:
        case Constant(value):
            return repr(value), Tightness.ATOM
        case Name(name):
            return name, Tightness.ATOM
        case ke.Unary("not", operand):
            return f"not {render(operand, Tightness.NOT)}", Tightness.NOT
        case ke.Unary(operator, operand):
            return f"{operator}{render(operand, Tightness.SIGN)}", Tightness.SIGN
        case ke.Binary(operator, left, right):
            return _binary(operator, left, right)
        case ke.Comparison(operators, operands):
            first, *others = (render(operand, Tightness.BIT_OR) for operand in operands)
            return " ".join([first, *map(" ".join, zip(operators, others, strict=True))]), Tightness.COMPARISON
        case ke.Logical(operator, operands):
            tightness = Tightness.OR if operator == "or" else Tightness.AND
            return f" {operator} ".join(render(each, Tightness(tightness + 1)) for each in operands), tightness
        case ke.Conditional(condition, then, otherwise):
            chosen = f"{render(then, Tightness.OR)} if {render(condition, Tightness.OR)}"
            return f"{chosen} else {render(otherwise)}", Tightness.CHOICE
        case ke.Slice(tensor, start, stop):
            bounds = ["" if bound is None else render(bound) for bound in (start, stop)]
            return f"{tensor}[..., {':'.join(bounds)}]", Tightness.ATOM
        case ke.Pack(name):
            return f"*{name}", Tightness.ATOM
        case ke.Keyword(name, value):
            return f"{name}={render(value)}", Tightness.ATOM
        case ke.Call(function, arguments):
            return f"{function}({', '.join(map(render, arguments))})", Tightness.ATOM


def _binary(operator: str, left: ke.Written, right: ke.Written) -> tuple[str, Tightness]:
    tightness = OPERATORS[operator]
    if operator == "**":
        return f"{render(left, Tightness.ATOM)} ** {render(right, Tightness.SIGN)}", tightness
    return f"{render(left, tightness)} {operator} {render(right, Tightness(tightness + 1))}", tightness
