"""Values of expressions as C++: one text each, computed in the type that is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field

from opgen.model.compute.nodes import (
    Binary,
    Call,
    Cast,
    Compare,
    Given,
    Index,
    Load,
    Logical,
    Named,
    Number,
    Operand,
    Scalar,
    Select,
    SizeOf,
    Unary,
    Value,
)
from opgen.records import dataclass
from opgen.spec.dtypes import FLOAT, FLOAT8
from opgen.spec.kernel_written import Tightness
from opgen.targets.cpp.expressions.types import Types
from opgen.targets.dtypes import ELEMENT_TYPE
from opgen.targets.expressions.operators import CPP, Piece, choice, joined, signed

_OPERATORS = frozenset({"+", "-", "*", "/"})
"""What C++ has an operator for that does to floating-point values what is meant."""

_FUNCTIONS = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "//": "floor_div",
    "%": "floor_mod",
    "**": "pow",
    "<<": "shift_left",
    ">>": "shift_right",
}
"""What says the operators for integers, which wrap, or for all types."""

_COMPARISONS = {
    "==": "equal",
    "!=": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}

_NARROW = frozenset(ELEMENT_TYPE[name] for name in (*FLOAT, *FLOAT8)) - {"float", "double"}
"""The element types that are computed in as float."""

_POWERS: Mapping[object, str] = {2: "square", 3: "cube", 0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal"}
"""Exponents that need no power."""


@dataclass(frozen=True)
class Variables:
    """What the names in a value are called in C++.

    Attributes:
        named: name and C++ type of bindings and reductions.
        load: returns the same for an element of an operand that is wanted in a type.
        index: the same for the place along an axis.
        scalar: the text of a scalar argument, as the number that it is.
        size: the text of a size.
        given: the text that says whether an optional argument is there.
    """

    load: Callable[[Operand, str], tuple[str, str]]
    index: Callable[[str, str], tuple[str, str]]
    scalar: Callable[[Scalar], str]
    size: Callable[[SizeOf], str]
    given: Callable[[str], str]
    named: dict[str, tuple[str, str]] = field(default_factory=dict)


class Renderer:
    """Renders the values of one program."""

    def __init__(self, types: Types, variables: Variables) -> None:
        """Prepare."""
        self._types = types
        self._variables = variables

    def render(self, value: Value, type_: str = "") -> str:
        """Render a value, in its own type or in another one."""
        return self._piece(value, type_ or self.type_of(value))[0]

    def type_of(self, value: Value) -> str:
        """Return the C++ type that a value has by itself."""
        if isinstance(value, Named):
            return self._variables.named[value.name][1]
        return self._types.of(value.type)

    def _piece(self, value: Value, type_: str) -> Piece:
        """Render a value in a type."""
        match value:
            case Number():
                return _number(value, type_)
            case Scalar() | SizeOf():
                text = self._variables.scalar(value) if isinstance(value, Scalar) else self._variables.size(value)
                return f"static_cast<{type_}>({text})", Tightness.ATOM
            case Load(operand):
                text, own = self._variables.load(operand, type_)
            case Index(axis):
                text, own = self._variables.index(axis, type_)
            case Given(argument):
                text, own = self._variables.given(argument), "bool"
            case Named(name):
                text, own = self._variables.named[name]
            case Select(condition, then, otherwise) if value.type.weak:
                return self._select(condition, then, otherwise, type_)
            case _:
                own = self._types.of(value.type)
                piece = self._computed(value, own)
                return piece if own == type_ else (f"math::to<{type_}>({piece[0]})", Tightness.ATOM)
        return (text if own == type_ else f"math::to<{type_}>({text})"), Tightness.ATOM

    def _computed(self, value: Value, own: str) -> Piece:  # noqa: C901, PLR0911 - one case a node
        """Render what is computed, in its own type."""
        match value:
            case Unary("not", operand):
                return signed("!", self._piece(operand, "bool"))
            case Unary("-", operand) if own in ("float", "double"):
                return signed("-", self._piece(operand, own))
            case Unary("-", operand):
                return f"math::negative({self._text(operand, own)})", Tightness.ATOM
            case Unary(_, operand):
                return f"math::inverted({self._text(operand, own)})", Tightness.ATOM
            case Binary():
                return self._binary(value, own)
            case Compare(operator, left, right, operand_type):
                common = self._types.of(operand_type)
                first, second = (self._piece(side, common) for side in (left, right))
                if operand_type.kind != "float" and (first == second or {Number} & {type(left), type(right)}):
                    # Compilers warn where the answer is known, as it may be of unsigned numbers.
                    return f"math::{_COMPARISONS[operator]}({first[0]}, {second[0]})", Tightness.ATOM
                return joined(CPP, operator, first, second)
            case Logical(operator, operands):
                pieces = (self._piece(each, "bool") for each in operands)
                return joined(CPP, "&&" if operator == "and" else "||", *pieces)
            case Select(condition, then, otherwise):
                return self._select(condition, then, otherwise, own)
            case Cast(dtype, operand):
                return self._cast(dtype, operand, own)
            case Call(function, arguments, argument_type):
                common = self._types.of(argument_type)
                return f"math::{function}({', '.join(self._text(each, common) for each in arguments)})", Tightness.ATOM
        raise TypeError(f"{value} is no computation")

    def _text(self, value: Value, type_: str) -> str:
        return self._piece(value, type_)[0]

    def _binary(self, value: Binary, own: str) -> Piece:
        operator, left, right = value.operator, value.left, value.right
        if operator == "**" and isinstance(right, Number) and right.value in _POWERS:
            is_whole = isinstance(right.value, int) and right.value > 0
            if is_whole or value.type.kind == "float":
                return f"math::{_POWERS[right.value]}({self._text(left, own)})", Tightness.ATOM
        if operator in _OPERATORS and value.type.kind == "float":
            return joined(CPP, operator, self._piece(left, own), self._piece(right, own))
        if operator in ("&", "|", "^"):
            name = {"&": "bit_and", "|": "bit_or", "^": "bit_xor"}[operator]
            return f"math::{name}({self._text(left, own)}, {self._text(right, own)})", Tightness.ATOM
        return f"math::{_FUNCTIONS[operator]}({self._text(left, own)}, {self._text(right, own)})", Tightness.ATOM

    def _select(self, condition: Value, then: Value, otherwise: Value, type_: str) -> Piece:
        return choice(self._piece(condition, "bool"), self._piece(then, type_), self._piece(otherwise, type_))

    def _cast(self, dtype: str, operand: Value, own: str) -> Piece:
        element = ELEMENT_TYPE[dtype]
        text = self._text(operand, self.type_of(operand))
        if own == element:
            return f"math::to<{own}>({text})", Tightness.ATOM
        rounded = f"math::rounded<{element}>({text})"
        wide = "float" if element in _NARROW else element
        return (rounded if own == wide else f"math::to<{own}>({rounded})"), Tightness.ATOM


def _number(literal: Number, type_: str) -> Piece:
    """Render a literal in a type."""
    number = literal.value
    if type_ == "bool":
        return ("true" if number else "false"), Tightness.ATOM
    if isinstance(number, float) and not math.isfinite(number):
        limit = "quiet_NaN" if math.isnan(number) else "infinity"
        sign, tight = ("-", Tightness.SIGN) if number < 0 else ("", Tightness.ATOM)
        return f"{sign}std::numeric_limits<{type_}>::{limit}()", tight
    text = repr(number + 0)
    if type_ == "double" and isinstance(number, float):
        return text, Tightness.SIGN if number < 0 else Tightness.ATOM
    if number == -(2**63):
        text = "std::numeric_limits<int64_t>::min()"
    return f"{type_}({text})", Tightness.ATOM
