"""Prints expressions in the language of ``tensors`` and ``checks``; base class of renderers for other languages."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from opgen.spec.expression import (
    Binary,
    Call,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Item,
    Logical,
    Membership,
    Name,
    Negative,
    Not,
    Size,
)


class Binding(IntEnum):
    """The precedence of the outermost operator of a text, lowest first, as in Python; C++ is mapped to it."""

    CHOICE = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    BIT_OR = 5
    BIT_AND = 6
    SUM = 7
    PRODUCT = 8
    SIGN = 9
    ATOM = 10


Piece = tuple[str, Binding]


class Renderer:
    """Prints an expression with the fewest parentheses, as its author would write it.

    A subclass for another language overrides the nodes that are written differently there.
    """

    def render(self, expression: Expression, at_least: Binding = Binding.CHOICE) -> str:
        """Render an expression, in parentheses if its precedence is below ``at_least``."""
        text, binding = self.piece(expression)
        return f"({text})" if binding < at_least else text

    def render_all(self, expressions: Iterable[Expression]) -> str:
        """Render expressions as the arguments of a call."""
        return ", ".join(self.render(expression) for expression in expressions)

    def piece(self, expression: Expression) -> Piece:  # noqa: C901, PLR0911 - one case a node
        """Render one node; return the text and its precedence."""
        match expression:
            case Constant():
                return self.constant(expression)
            case Name(name):
                return self.name(name), Binding.ATOM
            case Item(name, index):
                return self.item(name, index), Binding.ATOM
            case Size():
                return self.size(expression), Binding.ATOM
            case Call(function, arguments):
                return self.call(function, arguments)
            case Negative(operand):
                return self.negative(operand), Binding.SIGN
            case Binary():
                return self.binary(expression)
            case Comparison():
                return self.comparison(expression)
            case Membership():
                return self.membership(expression)
            case Not(operand):
                return self.negation(operand)
            case Logical():
                return self.logical(expression)
            case Conditional():
                return self.conditional(expression)

    def constant(self, constant: Constant) -> Piece:
        """Render a constant; a negative number has the precedence of its sign."""
        value = constant.value
        is_negative = isinstance(value, int | float) and value < 0
        return repr(value), Binding.SIGN if is_negative else Binding.ATOM

    def name(self, name: str) -> str:
        """Render a size, a scalar argument or the name of a dtype."""
        return name

    def item(self, name: str, index: int) -> str:
        """Render one element of a list argument."""
        return f"{self.name(name)}[{index}]"

    def size(self, size: Size) -> str:
        """Render a size that is read from a tensor."""
        element = "" if size.element is None else f"[{size.element}]"
        return f"{size.tensor}{element}.size({size.dim})"

    def call(self, function: str, arguments: tuple[Expression, ...]) -> Piece:
        """Render a call of one of the language's functions."""
        return f"{function}({self.render_all(arguments)})", Binding.ATOM

    def negative(self, operand: Expression) -> str:
        """Render ``-operand``; an operand with a sign gets parentheses, as ``--`` is C++'s decrement."""
        text = self.render(operand, Binding.SIGN)
        return f"-({text})" if text.startswith("-") else f"-{text}"

    def binary(self, binary: Binary) -> Piece:
        """Render an arithmetic operation; all are left-associative."""
        binding = Binding.SUM if binary.operator in ("+", "-") else Binding.PRODUCT
        left = self.render(binary.left, binding)
        right = self.render(binary.right, Binding(binding + 1))
        return f"{left} {binary.operator} {right}", binding

    def comparison(self, comparison: Comparison) -> Piece:
        """Render a chain of comparisons."""
        operands = comparison.operands
        text = self.render(operands[0], Binding.BIT_OR)
        for operator, left, right in zip(comparison.operators, operands, operands[1:], strict=False):
            text += f" {self.comparison_operator(operator, left, right)} {self.render(right, Binding.BIT_OR)}"
        return text, Binding.COMPARISON

    def comparison_operator(self, operator: str, left: Expression, right: Expression) -> str:  # noqa: ARG002 - a subclass looks at them
        """Return the operator; a language may use another one for some operands."""
        return operator

    def membership(self, membership: Membership) -> Piece:
        """Render ``a in (b, c)``."""
        operator = "not in" if membership.negated else "in"
        comma = "," if len(membership.choices) == 1 else ""
        operand = self.render(membership.operand, Binding.BIT_OR)
        return f"{operand} {operator} ({self.render_all(membership.choices)}{comma})", Binding.COMPARISON

    def negation(self, operand: Expression) -> Piece:
        """Render ``not a``."""
        return f"not {self.render(operand, Binding.NOT)}", Binding.NOT

    def logical(self, logical: Logical) -> Piece:
        """Render ``a and b`` or ``a or b``."""
        binding = Binding.OR if logical.operator == "or" else Binding.AND
        operands = (self.render(operand, Binding(binding + 1)) for operand in logical.operands)
        return f" {logical.operator} ".join(operands), binding

    def conditional(self, conditional: Conditional) -> Piece:
        """Render ``(a if condition else b)``, whose parentheses the language always requires."""
        then, condition, otherwise = (
            self.render(part, Binding.OR) for part in (conditional.then, conditional.condition, conditional.otherwise)
        )
        return f"({then} if {condition} else {otherwise})", Binding.ATOM


def render_written(expression: Expression) -> str:
    """Render an expression as an author would write it: ``2 * n``, ``ceil(n / block)``, ``mode in ('sum', 'mean')``."""
    return Renderer().render(expression)
