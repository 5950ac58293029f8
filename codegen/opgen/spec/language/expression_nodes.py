"""Builds the nodes of ``opgen.spec.expression`` from grammar rules, and checks what a grammar can't."""
# ruff: noqa: D102 - each method is named after the rule of the grammar whose node it builds

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Literal, get_args

from opgen.diagnostics import Code
from opgen.lalr.token import Token
from opgen.source import Span
from opgen.spec import expression as ex
from opgen.spec.language import codes
from opgen.spec.language.mistake import Problem
from opgen.spec.language.numbers import integer

Function = Literal["ceil", "min", "max", "prod", "len", "rank", "numel", "given"]


class ExpressionNodes:
    """Builds the nodes; mistakes that the grammar doesn't catch are collected in ``problems``."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def refuse(self, code: Code, span: Span, message: str, remedy: str = "") -> None:
        """Add a mistake; the remedy is the code's unless another one is given."""
        self.problems.append(Problem(code, message, span, remedy or code.remedy))

    def any_of(self, span: Span, children: list[Any]) -> ex.Logical:
        return ex.Logical("or", tuple(children), span)

    def all_of(self, span: Span, children: list[Any]) -> ex.Logical:
        return ex.Logical("and", tuple(children), span)

    def negated(self, span: Span, children: list[Any]) -> ex.Not:
        return ex.Not(children[1], span)

    def comparison(self, span: Span, children: list[Any]) -> ex.Comparison:
        operators: tuple[Any, ...] = tuple(map(str, children[1::2]))
        return ex.Comparison(operators, tuple(children[::2]), span)

    def membership(self, span: Span, children: list[Any]) -> ex.Membership:
        operand, *choices = children
        negated = isinstance(choices[0], Token)
        if negated:
            del choices[0]
        for choice in choices:
            if not isinstance(choice, ex.Constant | ex.Name):
                self.refuse(codes.CHOICES, choice.span, "expected a constant or the name of a dtype as a choice")
        return ex.Membership(operand, tuple(choices), negated, span)

    def conditional(self, span: Span, children: list[Any]) -> ex.Conditional:
        then, condition, otherwise = children
        return ex.Conditional(condition, then, otherwise, span)

    def binary(self, span: Span, children: list[Any]) -> ex.Binary:
        left, token, right = children
        operator: Any = str(token)
        return ex.Binary(operator, left, right, span)

    division = binary

    def negative(self, span: Span, children: list[Any]) -> ex.Expression:
        operand = children[0]
        if isinstance(operand, ex.Constant) and isinstance(operand.value, int | float):
            return ex.Constant(-operand.value, span)
        return ex.Negative(operand, span)

    def constant(self, span: Span, children: list[Token]) -> ex.Constant:
        token = children[0]
        words: dict[str, bool | None] = {"TRUE": True, "FALSE": False, "NONE": None}
        value: int | float | str | bool | None
        if token.type in words:
            value = words[token.type]
        elif token.type == "STRING":
            value = token[1:-1]
        else:
            value = self.integer(token) if token.type == "INT" else float(token)
        return ex.Constant(value, span)

    def name(self, span: Span, children: list[Token]) -> ex.Name:
        return ex.Name(str(children[0]), span)

    def item(self, span: Span, children: list[Any]) -> ex.Item:
        return ex.Item(str(children[0]), children[1], span)

    def size(self, span: Span, children: list[Any]) -> ex.Size:
        return ex.Size(str(children[0]), children[1], children[2], span)

    def index(self, _span: Span, children: list[Token]) -> int:
        return self.integer(children[0])

    def negative_index(self, _span: Span, children: list[Token]) -> int:
        return -self.integer(children[0])

    def call(self, span: Span, children: list[Any]) -> ex.Call:
        token, *arguments = children
        self._check_call(token, arguments, span)
        function: Any = str(token)
        return ex.Call(function, tuple(arguments), span)

    def _check_call(self, function: str, arguments: list[ex.Expression], span: Span) -> None:
        functions = get_args(Function)
        if function not in functions:
            close = get_close_matches(function, functions, 1)
            remedy = f"did you mean '{close[0]}'?" if close else f"the functions are {', '.join(functions)}"
            self.refuse(codes.FUNCTION_CALL, span, f"there is no function '{function}'", remedy)
        elif function == "ceil" and not (len(arguments) == 1 and _is_division(arguments[0])):
            self.refuse(codes.TRUE_DIVISION, span, "'ceil' takes one division", "write `ceil(a/b)`")
        elif function != "ceil" and any(map(_is_division, arguments)):
            self.refuse(codes.TRUE_DIVISION, span, f"'/' stands only inside 'ceil', found it inside '{function}'")
        elif function in ("min", "max"):
            if len(arguments) < 2:  # noqa: PLR2004 - `min` and `max` need two arguments
                self.refuse(
                    codes.FUNCTION_CALL, span, f"'{function}' takes two arguments or more, found {len(arguments)}"
                )
        elif len(arguments) != 1:
            self.refuse(codes.FUNCTION_CALL, span, f"'{function}' takes one argument, found {len(arguments)}")
        elif function != "ceil" and not isinstance(arguments[0], ex.Name):
            self.refuse(codes.FUNCTION_CALL, arguments[0].span, f"'{function}' takes a name, found an expression")

    def integer(self, token: Token) -> int:
        """Return the value of an integer literal."""
        return integer(token, self.problems)


def _is_division(expression: ex.Expression) -> bool:
    return isinstance(expression, ex.Binary) and expression.operator == "/"
