"""Expressions in C++17, over ``int64_t`` sizes and the parameter types of kernels.

``//`` and ``%`` round to negative infinity as in Python, by ``checks::floor_div`` and ``checks::floor_mod`` of
``templates/cpp/checks/sizes.h.j2``, which throw where C++ would trap. Names in front of ``::`` can't be hidden by
arguments.
"""

from __future__ import annotations

import math

from opgen.spec.expression import (
    Binary,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Logical,
    Membership,
    Name,
    Size,
)
from opgen.spec.written import Binding, Piece, Renderer
from opgen.targets.dtypes import scalar_type
from opgen.targets.expressions.names import Names
from opgen.targets.expressions.overflow import METHODS, is_float, is_unbounded, may_overflow
from opgen.targets.expressions.questions import is_none
from opgen.targets.quoting import c_string


class _Cpp(Renderer):
    def __init__(self, names: Names, checker: str) -> None:
        self.names = names
        self.checker = checker

    def constant(self, constant: Constant) -> Piece:
        value = constant.value
        if value is None:
            return "std::nullopt", Binding.ATOM
        if isinstance(value, bool):
            return str(value).lower(), Binding.ATOM
        if isinstance(value, str):
            return _string(value), Binding.ATOM
        if isinstance(value, float) and math.isinf(value):
            sign, binding = ("", Binding.ATOM) if value > 0 else ("-", Binding.SIGN)
            return f"{sign}std::numeric_limits<double>::infinity()", binding
        return super().constant(constant)

    def name(self, name: str) -> str:
        argument = self.names.scalar(name)
        if argument is None:
            return self.names.value(name) if self.names.is_size(name) else scalar_type(name)
        return self._value(name) + (".value()" if argument.is_optional else "")

    def _value(self, name: str) -> str:
        """Return an argument as an operand of a comparison; a ``std::optional`` stays one."""
        value = self.names.value(name)
        return f"abi::number({value})" if self.names.type_name(name) == "Scalar" else value

    def item(self, name: str, index: int) -> str:
        return f"checks::at({self.name(name)}, {index})"

    def size(self, size: Size) -> str:
        if size.element is None:
            return f"{self._tensor(size.tensor)}size({size.dim})"
        return f"checks::at({self.name(size.tensor)}, {size.element}).size({size.dim})"

    def _tensor(self, name: str) -> str:
        argument = self.names.arguments.get(name)
        return self.names.argument(name) + ("->" if argument is not None and argument.is_optional else ".")

    def call(self, function: str, arguments: tuple[Expression, ...]) -> Piece:
        if function in ("min", "max"):
            kind = "double" if any(is_float(each, self.names) for each in arguments) else "int64_t"
            return f"std::{function}<{kind}>({{{self.render_all(arguments)}}})", Binding.ATOM
        argument = arguments[0]
        if function == "ceil" and isinstance(argument, Binary):
            return f"checks::ceil_div({self.render_all((argument.left, argument.right))})", Binding.ATOM
        name = argument.name if isinstance(argument, Name) else ""
        if function == "given":
            return f"{self.names.argument(name)}.has_value()", Binding.ATOM
        if function in ("prod", "len"):
            helper = "checks::product" if function == "prod" else "checks::length"
            if function == "prod" and self.checker and is_unbounded(argument, self.names):
                helper = f"{self.checker}.prod"
            return f"{helper}({self.name(name)})", Binding.ATOM
        if function == "rank" and self.names.is_size(name):
            return f"checks::length({self.name(name)})", Binding.ATOM
        return f"{self._tensor(name)}{'dim' if function == 'rank' else 'numel'}()", Binding.ATOM

    def binary(self, binary: Binary) -> Piece:
        if self.checker and may_overflow(binary, self.names):
            method = f"{self.checker}.{METHODS[binary.operator]}"
            return f"{method}({self.render_all((binary.left, binary.right))})", Binding.ATOM
        helper = {"//": "floor_div", "%": "floor_mod"}.get(binary.operator)
        if helper:
            return f"checks::{helper}({self.render_all((binary.left, binary.right))})", Binding.ATOM
        text, binding = super().binary(binary)
        if _is_integer(binary.left) and _is_integer(binary.right):  # two literals would be computed as `int`
            left = self.render(binary.left)
            return f"int64_t{{{left}}}" + text.removeprefix(left), binding
        return text, binding

    def comparison(self, comparison: Comparison) -> Piece:
        operands = comparison.operands
        links = [
            self._compare(operator, left, right)
            for operator, left, right in zip(comparison.operators, operands, operands[1:], strict=False)
        ]
        return links[0] if len(links) == 1 else _join("&&", links)

    def _compare(self, operator: str, left: Expression, right: Expression) -> Piece:
        if is_none(left):
            left, right = right, left
        if is_none(right) and operator in ("==", "!="):
            return self._is_none(left, holds=operator == "==")
        return f"{self._operand(left, operator)} {operator} {self._operand(right, operator)}", Binding.COMPARISON

    def _is_none(self, operand: Expression, *, holds: bool) -> Piece:
        argument = self.names.arguments.get(operand.name) if isinstance(operand, Name) else None
        if argument is None or not argument.is_optional:
            return ("false" if holds else "true"), Binding.ATOM
        text = f"{self.names.argument(argument.name)}.has_value()"
        return (f"!{text}", Binding.SIGN) if holds else (text, Binding.ATOM)

    def _operand(self, operand: Expression, operator: str) -> str:
        """Render an operand; ``==`` may compare a ``std::optional``: an empty one equals no value, as in Python."""
        if isinstance(operand, Name) and operator in ("==", "!=") and self.names.scalar(operand.name):
            return self._value(operand.name)
        return self.render(operand, Binding.BIT_OR)

    def membership(self, membership: Membership) -> Piece:
        operator = "!=" if membership.negated else "=="
        parts = [self._compare(operator, membership.operand, choice) for choice in membership.choices]
        return parts[0] if len(parts) == 1 else _join("&&" if membership.negated else "||", parts)

    def negation(self, operand: Expression) -> Piece:
        return f"!{self._truth(operand, Binding.SIGN)[0]}", Binding.SIGN

    def logical(self, logical: Logical) -> Piece:
        operator = "&&" if logical.operator == "and" else "||"
        return _join(operator, [self._truth(operand, Binding.CHOICE) for operand in logical.operands])

    def conditional(self, conditional: Conditional) -> Piece:
        then, otherwise = (self.render(part, Binding.OR) for part in (conditional.then, conditional.otherwise))
        return f"{self._truth(conditional.condition, Binding.OR)[0]} ? {then} : {otherwise}", Binding.CHOICE

    def condition(self, expression: Expression, at_least: Binding) -> str:
        """Render as a value, or as the condition of an ``if``."""
        return self._truth(expression, at_least)[0]

    def _truth(self, expression: Expression, at_least: Binding) -> Piece:
        """Render as a truth value: a ``bool?`` that is ``None`` is false, as in Python."""
        argument = self.names.scalar(expression.name) if isinstance(expression, Name) else None
        if argument is not None and argument.is_optional:
            return f"{self.names.value(argument.name)}.value_or(false)", Binding.ATOM
        text, binding = self.piece(expression)
        return (f"({text})", Binding.ATOM) if binding < at_least else (text, binding)


def _join(operator: str, parts: list[Piece]) -> Piece:
    """Join conditions; ``&&`` inside of ``||`` gets parentheses, as `-Wparentheses` asks."""
    texts = (f"({text})" if binding <= Binding.AND else text for text, binding in parts)
    return f" {operator} ".join(texts), Binding.AND if operator == "&&" else Binding.OR


def _is_integer(expression: Expression) -> bool:
    return isinstance(expression, Constant) and isinstance(expression.value, int)


def _string(text: str) -> str:
    """Quote a text; one with a NUL gets its length, since a comparison would stop at the NUL."""
    literal = c_string(text)
    return f"std::string_view({literal}, {len(text.encode())})" if "\0" in text else literal


def render_cpp(expression: Expression, names: Names, at_least: Binding = Binding.CHOICE, checker: str = "") -> str:
    """Render for a function whose parameters are the op's arguments and whose local variables are the bound names.

    Args:
        expression: the expression.
        names: the identifiers of arguments and sizes.
        at_least: the precedence that the text needs in order to stand without parentheses: ``Binding.BIT_OR`` for a
            side of a comparison.
        checker: the ``Checker`` variable whose methods refuse arithmetic that overflows; empty for operands that have
            been checked before.
    """
    return _Cpp(names, checker).condition(expression, at_least)
