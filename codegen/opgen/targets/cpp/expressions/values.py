"""Values of expressions as C++: one text each, computed in the type that is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

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
    Scalar,
    Select,
    SizeOf,
    Unary,
    Value,
)
from opgen.records import dataclass
from opgen.spec.dtypes import FLOAT, FLOAT8
from opgen.spec.kernel_written import Tightness
from opgen.targets.cpp.expressions.conversions import Conversions, Place
from opgen.targets.cpp.expressions.identifiers import Identifiers
from opgen.targets.cpp.expressions.types import CppType
from opgen.targets.dtypes import ELEMENT_TYPE
from opgen.targets.expressions.operators import CPP, Piece, choice, joined, signed
from opgen.targets.names import cpp_name

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
    "&": "bit_and",
    "|": "bit_or",
    "^": "bit_xor",
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
class Renderer:
    """Renders the values of one program.

    Attributes:
        conversions: of its values.
        names: of what they mention.
    """

    conversions: Conversions
    names: Identifiers

    def render(self, value: Value, wanted: CppType) -> str:
        """Render a value in a type."""
        return self._piece(value, wanted)[0]

    def _piece(self, value: Value, wanted: CppType) -> Piece:
        own = self.conversions.computed_in(value, wanted)
        leaf = self._leaf(value, own)
        piece = self._computed(value, own) if leaf is None else (leaf, Tightness.ATOM)
        return piece if own == wanted else (f"math::to<{self.names.type(wanted)}>({piece[0]})", Tightness.ATOM)

    def _leaf(self, value: Value, own: CppType) -> str | None:
        """Render what has a name; nothing for other values."""
        match value:
            case Scalar() | SizeOf():
                text = self.names.outside(value.size if isinstance(value, SizeOf) else value)
                return f"static_cast<{self.names.type(own)}>({text})"
            case Given():
                return self.names.outside(value)
            case Load(operand):
                return self.names.elements[operand]
            case Index(axis):
                return self.names.elements[Place(axis)]
            case Named(name):
                return cpp_name(name)
        return None

    def _computed(self, value: Value, own: CppType) -> Piece:  # noqa: C901, PLR0911 - one case a node
        """Render what is computed, in its own type."""
        parts = [self._piece(part, type_) for part, type_ in self.conversions.parts(value, own)]
        texts = [text for text, _ in parts]
        match value:
            case Number():
                return _number(value, self.names.type(own))
            case Unary("not"):
                return signed("!", *parts)
            case Unary("-") if own in ("float", "double"):
                return signed("-", *parts)
            case Unary(operator):
                return f"math::{'negative' if operator == '-' else 'inverted'}({texts[0]})", Tightness.ATOM
            case Binary(operator) if operator in _OPERATORS and value.type.kind == "float":
                return joined(CPP, operator, *parts)
            case Binary():
                return _operated(value, texts), Tightness.ATOM
            case Compare():
                return _compared(value, parts)
            case Logical(operator):
                return joined(CPP, "&&" if operator == "and" else "||", *parts)
            case Select():
                return choice(*parts)
            case Cast(dtype):
                return _cast(dtype, texts[0], self.names.type(own)), Tightness.ATOM
            case Call(function):
                return f"math::{function}({', '.join(texts)})", Tightness.ATOM
        raise TypeError(f"{value} is no computation")


def _operated(value: Binary, texts: Sequence[str]) -> str:
    """Render an operation by a function."""
    operator, exponent = value.operator, value.right
    if operator == "**" and isinstance(exponent, Number) and exponent.value in _POWERS:
        is_whole = isinstance(exponent.value, int) and exponent.value > 0
        if is_whole or value.type.kind == "float":
            return f"math::{_POWERS[exponent.value]}({texts[0]})"
    return f"math::{_FUNCTIONS[operator]}({', '.join(texts)})"


def _compared(value: Compare, parts: Sequence[Piece]) -> Piece:
    (first, _), (second, _) = parts
    has_number = isinstance(value.left, Number) or isinstance(value.right, Number)
    if value.operand_type.kind != "float" and (has_number or parts[0] == parts[1]):
        # Compilers warn where the answer is known, as it may be of unsigned numbers.
        return f"math::{_COMPARISONS[value.operator]}({first}, {second})", Tightness.ATOM
    return joined(CPP, value.operator, *parts)


def _cast(dtype: str, text: str, own: str) -> str:
    """Render a value that is rounded to a dtype, in the type that it is computed in."""
    element = ELEMENT_TYPE[dtype]
    if own == element:
        return f"math::to<{own}>({text})"
    rounded = f"math::rounded<{element}>({text})"
    wide = "float" if element in _NARROW else element
    return rounded if own == wide else f"math::to<{own}>({rounded})"


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
