"""Expressions in Python, safe for symbolic sizes.

While PyTorch traces, a size may be a ``SymInt`` and a comparison of sizes a ``SymBool``. ``if``, ``and``, ``or``,
``not``, ``min`` and chained comparisons call ``bool()`` on it, which fails for data-dependent sizes. ``torch.sym_min``,
``&`` and ``|`` do not (``torch/__init__.py``, ``SymBool``). They evaluate both sides, so ``and`` and ``or`` are kept
for conditions over plain scalars, and where the right side might divide by 0 or read an argument that is ``None``.
"""

from __future__ import annotations

import math
from functools import reduce

from opgen.schema.nodes import ListType
from opgen.schema.types import without_optional
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
    Size,
)
from opgen.spec.walk import children, walk
from opgen.spec.written import Binding, Piece, Renderer
from opgen.targets.expressions.names import Names
from opgen.targets.expressions.overflow import METHODS, is_unbounded, may_overflow
from opgen.targets.expressions.questions import divisor, is_none, names_in
from opgen.targets.quoting import py_string


class _Python(Renderer):
    def __init__(self, names: Names, checker: str) -> None:
        self.names = names
        self.checker = checker

    def constant(self, constant: Constant) -> Piece:
        value = constant.value
        if isinstance(value, str):
            return py_string(value), Binding.ATOM
        if isinstance(value, float) and math.isinf(value):
            return ("math.inf", Binding.ATOM) if value > 0 else ("-math.inf", Binding.SIGN)
        return super().constant(constant)

    def name(self, name: str) -> str:
        known = self.names.is_size(name) or name in self.names.arguments
        return self.names.value(name) if known else f"torch.{name}"

    def size(self, size: Size) -> str:
        element = "" if size.element is None else f"[{size.element}]"
        return f"{self.names.argument(size.tensor)}{element}.size({size.dim})"

    def call(self, function: str, arguments: tuple[Expression, ...]) -> Piece:
        if function in ("min", "max"):
            texts = [self.render(argument) for argument in arguments]
            return reduce(lambda left, right: f"torch.sym_{function}({left}, {right})", texts), Binding.ATOM
        argument = arguments[0]
        if function == "ceil" and isinstance(argument, Binary):
            numerator = self.negative(argument.left)
            return f"-({numerator} // {self.render(argument.right, Binding.SIGN)})", Binding.SIGN
        name = argument.name if isinstance(argument, Name) else ""
        if function == "given":
            return f"{self.names.argument(name)} is not None", Binding.COMPARISON
        if function == "prod":
            module = self.checker if self.checker and is_unbounded(argument, self.names) else "math"
            return f"{module}.prod({self.name(name)})", Binding.ATOM
        if function == "len" or (function == "rank" and self.names.is_size(name)):
            return f"len({self.name(name)})", Binding.ATOM
        return f"{self.names.argument(name)}.{'dim' if function == 'rank' else 'numel'}()", Binding.ATOM

    def binary(self, binary: Binary) -> Piece:
        if self.checker and may_overflow(binary, self.names):
            method = f"{self.checker}.{METHODS[binary.operator]}"
            return f"{method}({self.render_all((binary.left, binary.right))})", Binding.ATOM
        return super().binary(binary)

    def comparison(self, comparison: Comparison) -> Piece:
        if len(comparison.operators) > 1 and self._is_symbolic(comparison):
            operands = comparison.operands
            links = [
                self.render(Comparison((operator,), operands[place : place + 2]), Binding.BIT_AND)
                for place, operator in enumerate(comparison.operators)
            ]
            return " & ".join(links), Binding.BIT_AND
        return super().comparison(comparison)

    def comparison_operator(self, operator: str, left: Expression, right: Expression) -> str:
        if is_none(left) or is_none(right):
            return {"==": "is", "!=": "is not"}.get(operator, operator)
        return operator

    def membership(self, membership: Membership) -> Piece:
        if not self._is_symbolic(membership):
            return super().membership(membership)
        operator, join, binding = (
            ("!=", " & ", Binding.BIT_AND) if membership.negated else ("==", " | ", Binding.BIT_OR)
        )
        parts = [self._equal(membership.operand, operator, choice) for choice in membership.choices]
        if len(parts) == 1:
            return parts[0][1:-1], Binding.COMPARISON
        return join.join(parts), binding

    def _equal(self, operand: Expression, operator: str, choice: Expression) -> str:
        return f"({self.render(operand, Binding.BIT_OR)} {operator} {self.render(choice, Binding.BIT_OR)})"

    def negation(self, operand: Expression) -> Piece:
        if isinstance(operand, Call) and operand.function == "given":
            return f"{self.render(operand.arguments[0])} is None", Binding.COMPARISON
        if self._is_symbolic(operand):
            return f"torch.sym_not({self.render(operand)})", Binding.ATOM
        return super().negation(operand)

    def logical(self, logical: Logical) -> Piece:
        """Join operands that guard others by ``and`` or ``or``, others that may be symbolic by ``&`` or ``|``."""
        is_or = logical.operator == "or"
        place = next((i for i, operand in enumerate(logical.operands) if self._is_symbolic(operand)), 0)
        guards, rest = logical.operands[:place], logical.operands[place:]
        if any(map(self._is_symbolic, rest[:-1])) and not any(self._may_fail(operand, guards) for operand in rest[1:]):
            sign, binding = (" | ", Binding.BIT_OR) if is_or else (" & ", Binding.BIT_AND)
            text = sign.join(self._truth(operand, Binding(binding + 1)) for operand in rest)
            if not guards:
                return text, binding
            texts = [text]
        else:
            guards, texts = logical.operands, []
        sign, binding = (" or ", Binding.OR) if is_or else (" and ", Binding.AND)
        return sign.join([*(self._truth(operand, Binding(binding + 1)) for operand in guards), *texts]), binding

    def _may_fail(self, operand: Expression, guards: tuple[Expression, ...]) -> bool:
        """Whether an operand may raise an exception when evaluated without the ``guards`` in front of it."""
        given = {name for guard in guards for node in walk(guard) if isinstance(node, Call) for name in names_in(node)}
        return any(divisor(node) is not None or self._may_be_absent(node, given) for node in walk(operand))

    def _may_be_absent(self, node: Expression, given: set[str]) -> bool:
        match node:
            case Item(name):
                type_ = without_optional(self.names.arguments[name].type)
                return not (isinstance(type_, ListType) and type_.size is not None)
            case Size(_, int()):
                return True
            case Size(name) | Call("rank" | "numel" | "len" | "prod", (Name(name),)):
                return name not in given and name in self.names.arguments and self.names.arguments[name].is_optional
        return False

    def _truth(self, operand: Expression, at_least: Binding) -> str:
        """Render as a truth value; a ``bool?`` is converted, since ``None | True`` raises ``TypeError``."""
        argument = self.names.scalar(operand.name) if isinstance(operand, Name) else None
        if argument is not None and argument.is_optional:
            text = f"{self.names.value(argument.name)} is True"
            return f"({text})" if at_least > Binding.COMPARISON else text
        return self.render(operand, at_least)

    def conditional(self, conditional: Conditional) -> Piece:
        then, otherwise = (self.render(part, Binding.OR) for part in (conditional.then, conditional.otherwise))
        return f"{then} if {self._truth(conditional.condition, Binding.OR)} else {otherwise}", Binding.CHOICE

    def _is_symbolic(self, expression: Expression) -> bool:
        match expression:
            case Name(name) | Item(name, _):
                return self.names.is_symbolic(name)
            case Size() | Call("prod" | "numel"):
                return True
            case Call("given" | "len" | "rank"):
                return False
            case Comparison(_, operands) if any(map(is_none, operands)):
                return False
        return any(map(self._is_symbolic, children(expression)))


def render_python(expression: Expression, names: Names, at_least: Binding = Binding.CHOICE, checker: str = "") -> str:
    """Render for the body of a fake kernel, where ``torch`` and ``math`` are imported and every name is bound.

    Args:
        expression: the expression.
        names: the identifiers of arguments and sizes.
        at_least: the precedence that the text needs in order to stand without parentheses: ``Binding.BIT_OR`` for a
            side of a comparison.
        checker: the ``Checker`` variable whose methods refuse arithmetic that overflows; empty for operands that have
            been checked before.
    """
    return _Python(names, checker).render(expression, at_least)
