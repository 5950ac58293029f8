"""Values of an expression in device code, over the functions of ``templates/cpp/device/maths.h.j2``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field

from opgen.model.compute.nodes import Load, Operand, Value, ValueType
from opgen.records import dataclass
from opgen.spec.kernel_written import Tightness
from opgen.targets.dtypes import ELEMENT_TYPE
from opgen.targets.expressions.device_values import SMALLEST, DeviceValues, TypeKey, Words, type_key
from opgen.targets.expressions.operators import CPP, Piece, choice, joined, signed

_FUNCTION = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "//": "floor_divide",
    "%": "remainder",
    "**": "pow",
    "<<": "shift_left",
    ">>": "shift_right",
}
_OF_FLOATS = frozenset({"+", "-", "*"})
_OF_ALL = frozenset({"/", "&", "|", "^"})
"""Operators written as C++'s own for every type; integer ``+``, ``-``, ``*`` are functions, since they have to wrap."""


@dataclass(frozen=True)
class Values(DeviceValues):
    """Renders values in C++.

    Attributes:
        loads: the types of operands that are read in another type than their own, since all uses convert to it.
        wanted: collects the types that the uses of each operand convert it to.
    """

    loads: Mapping[Operand, TypeKey]
    wanted: dict[Operand, set[TypeKey]] = field(default_factory=dict)

    WORDS = Words(
        operators=CPP,
        types={"bool": "bool", "int": "int64_t", "single": "float", "double": "double"},
        chosen=("acc_t", "type{}_t"),
        scalar="{}_",
        size=("size{}_", "{}"),
        given="{}",
        width="width{}_",
        converted="device::converted<{wanted}>({text})",
        wrapped="device::wrapped({width}, {text})",
        of_bools={"+": "||", "*": "&&", "&": "&&", "|": "||", "^": "!=", "and": "&&", "or": "||"},
        powers={2: "square"},
    )

    def plain(self, value: Value) -> tuple[str, str]:
        """Return a value as an expression of its own C++ type, and that type."""
        wanted = self.type_of(value.type)
        return self.text(value, wanted), wanted

    def load_type(self, operand: Operand, own: ValueType) -> str:
        """Return the C++ type that an operand is read in."""
        return self._name_of(self.loads.get(operand, type_key(own)))

    def _piece(self, value: Value, wanted: str) -> Piece:
        if isinstance(value, Load):
            self.wanted.setdefault(value.operand, set()).add(self._key_of(wanted))
        return super()._piece(value, wanted)

    def _key_of(self, name: str) -> TypeKey:
        chosen = (key for key, known in self.parameters.types.items() if known == name)
        return next(chosen, None) or next(key for key, known in self.WORDS.types.items() if known == name)

    def _number(self, value: bool | float, wanted: str) -> Piece:  # noqa: FBT001 - a literal may be a truth value
        if wanted == "bool":
            return str(bool(value)).lower(), Tightness.ATOM
        if wanted == "int64_t":
            return "INT64_MIN" if value == SMALLEST else f"int64_t({int(value)})", Tightness.ATOM
        if isinstance(value, float) and math.isinf(value):
            infinity = f"{wanted}(INFINITY)", Tightness.ATOM
            return signed("-", infinity) if value < 0 else infinity
        if isinstance(value, float):
            return f"{wanted}({'NAN' if math.isnan(value) else repr(value)})", Tightness.ATOM
        return f"{wanted}({int(value)})", Tightness.ATOM

    def _has(self, argument: str) -> str:
        return f"has_{argument}_"

    def _rounded(self, text: str, dtype: str, own: str) -> str:
        return f"device::rounded<{own}, {ELEMENT_TYPE[dtype]}>({text})"

    def _called(self, function: str, arguments: Sequence[str]) -> str:
        return f"device::{function}({', '.join(arguments)})"

    def _unary(self, operator: str, operand: Piece, type_: ValueType) -> Piece:
        if operator == "not" or (operator == "~" and type_.kind == "bool"):
            return signed("!", operand)
        if operator == "~" or type_.kind == "float":
            return self._wrapped(signed(operator, operand), type_)
        zero = f"{self.type_of(type_)}(0)"
        return self._wrapped((self._called("subtract", [zero, operand[0]]), Tightness.ATOM), type_)

    def _operated(self, operator: str, operands: tuple[Piece, Piece], type_: ValueType) -> Piece:
        if operator in _OF_ALL or (type_.kind == "float" and operator in _OF_FLOATS):
            return joined(CPP, operator, *operands)
        return self._called(_FUNCTION[operator], [text for text, _ in operands]), Tightness.ATOM

    def _choice(self, condition: Piece, then: Piece, otherwise: Piece) -> Piece:
        return choice(condition, then, otherwise)
