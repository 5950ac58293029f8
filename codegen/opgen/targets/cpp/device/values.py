"""Values of an expression in device code, over the functions of ``templates/cpp/device/maths.h.j2``.

Integers are computed in ``int64_t`` and wrapped to the width of their dtype, floating-point values in ``float`` or ``double``:
where the dtypes of a call decide, the type is a parameter of the kernel's template. What has no dtype, as numbers that are
passed, is ``double`` until it meets something that has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from opgen.model.compute.functions import FUNCTIONS, Result
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
    ValueType,
)
from opgen.records import dataclass
from opgen.targets.dtypes import ELEMENT_TYPE
from opgen.targets.expressions.handed import Members

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
_OF_BOOLS = {"+": "||", "*": "&&", "&": "&&", "|": "||", "^": "!="}
_SMALLEST = -(2**63)

TypeKey: TypeAlias = "str | tuple[tuple[str, ...], tuple[str, ...], bool]"
"""A C++ type, or what decides about one: tensors, dtypes, and whether it may be an integer."""


def type_key(type_: ValueType) -> TypeKey:
    """Return what a value is computed in."""
    match type_.kind:
        case "bool":
            return "bool"
        case "int":
            return "int64_t"
    if not type_.tensors:
        return "float" if type_.dtypes and "float64" not in type_.dtypes else "double"
    return type_.tensors, type_.dtypes, type_.kind == "number"


@dataclass(frozen=True)
class Values:
    """Renders values.

    Attributes:
        members: collects what is mentioned.
        names: of bindings and reductions, and of what is loaded.
        operands: the names of loaded elements, by operand.
        places: the places along axes, by axis.
        loads: the types in which operands are read that all of their uses want in one that isn't their own.
        wanted: the types in which uses want an operand.
    """

    members: Members
    names: Mapping[str, str]
    operands: Mapping[Operand, str]
    places: Mapping[str, str]
    loads: Mapping[Operand, TypeKey]
    wanted: dict[Operand, set[TypeKey]] = field(default_factory=dict)

    def type_of(self, type_: ValueType) -> str:
        """Return the C++ type that a value is computed in."""
        return self._name_of(type_key(type_))

    def load_type(self, operand: Operand, own: ValueType) -> str:
        """Return the C++ type that an operand is read in."""
        return self._name_of(self.loads.get(operand, type_key(own)))

    def _name_of(self, key: TypeKey) -> str:
        if isinstance(key, str):
            return key
        count = len(self.members.types)
        return self.members.types.setdefault(key, f"type{count}_t" if count else "acc_t")

    def _key_of(self, name: str) -> TypeKey:
        return next((key for key, known in self.members.types.items() if known == name), name)

    def text(self, value: Value, wanted: str) -> str:
        """Return a value as an expression of a C++ type."""
        if isinstance(value, Load):
            self.wanted.setdefault(value.operand, set()).add(self._key_of(wanted))
        if isinstance(value, Number):
            return _number(value.value, wanted)
        text, own = self._own(value)
        return text if own == wanted else f"device::converted<{wanted}>({text})"

    def plain(self, value: Value) -> tuple[str, str]:
        """Return a value as an expression of its own C++ type, and that."""
        wanted = self.type_of(value.type)
        return self.text(value, wanted), wanted

    def _own(self, value: Value) -> tuple[str, str]:
        """Return a value and the C++ type that it has."""
        return self._given(value) or self._computed(value)

    def _given(self, value: Value) -> tuple[str, str] | None:  # noqa: PLR0911 - one case a node
        """Render what needs no operation; nothing for other values."""
        match value:
            case Scalar(argument):
                self.members.scalars.setdefault(argument, value)
                return f"{argument}_", {"bool": "bool", "int": "int64_t"}.get(value.type.kind, "double")
            case SizeOf(size):
                return self.members.sizes.setdefault(size, f"size{len(self.members.sizes)}_"), "int64_t"
            case Given(argument):
                return self.members.given.setdefault(argument, f"has_{argument}_"), "bool"
            case Index(axis):
                return self.places[axis], "int64_t"
            case Load(operand):
                return self.operands[operand], self.load_type(operand, value.type)
            case Named(name):
                return self.names[name], self.type_of(value.type)
        return None

    def _computed(self, value: Value) -> tuple[str, str]:  # noqa: PLR0911 - one case a node
        type_ = self.type_of(value.type)
        match value:
            case Unary(operator, operand):
                return self._unary(operator, self.text(operand, type_), value.type), type_
            case Binary(operator, left, right):
                texts = (self._operand(left, value.type), self._operand(right, value.type))
                return self._binary(operator, *texts, value.type, right), type_
            case Compare(operator, left, right, operand_type):
                one, other = self._operand(left, operand_type), self._operand(right, operand_type)
                return f"({one} {operator} {other})", "bool"
            case Logical(operator, operands):
                sign = " && " if operator == "and" else " || "
                return f"({sign.join(self.text(each, 'bool') for each in operands)})", "bool"
            case Select(condition, then, otherwise):
                choices = f"{self._operand(then, value.type)} : {self._operand(otherwise, value.type)}"
                return f"({self.text(condition, 'bool')} ? {choices})", type_
            case Cast(dtype, operand):
                text, _ = self.plain(operand)
                return f"device::rounded<{type_}, {ELEMENT_TYPE[dtype]}>({text})", type_
            case Call(function, arguments, argument_type):
                inner = self.type_of(argument_type)
                text = f"device::{function}({', '.join(self._operand(each, argument_type) for each in arguments)})"
                result = {Result.TEST: "bool"}.get(FUNCTIONS[function].result, inner)
                return self._wrapped(text, argument_type) if result != "bool" else text, result
        raise TypeError(f"no such value: {value!r}")

    def _operand(self, value: Value, type_: ValueType) -> str:
        """Return a value as one of a type; a negative number wraps where that is unsigned."""
        text = self.text(value, self.type_of(type_))
        return self._wrapped(text, type_) if isinstance(value, Number) and value.value < 0 else text

    def _unary(self, operator: str, operand: str, type_: ValueType) -> str:
        if operator == "not" or (operator == "~" and type_.kind == "bool"):
            return f"(!{operand})"
        if operator == "~":
            return self._wrapped(f"(~{operand})", type_)
        if type_.kind == "float":
            return f"(-{operand})"
        return self._wrapped(f"device::subtract({self.type_of(type_)}(0), {operand})", type_)

    def _binary(self, operator: str, left: str, right: str, type_: ValueType, exponent: Value) -> str:
        if type_.kind == "bool":
            return f"({left} {_OF_BOOLS[operator]} {right})"
        if operator == "**" and isinstance(exponent, Number) and exponent.value == 2:  # noqa: PLR2004 - a square
            return self._wrapped(f"device::square({left})", type_)
        is_plain = operator in {"/", "&", "|", "^"} or (type_.kind == "float" and operator in {"+", "-", "*"})
        text = f"({left} {operator} {right})" if is_plain else f"device::{_FUNCTION[operator]}({left}, {right})"
        return self._wrapped(text, type_)

    def _wrapped(self, text: str, type_: ValueType) -> str:
        if type_.kind not in {"int", "number"} or not (type_.tensors or type_.dtypes):
            return text
        key = (type_.tensors, type_.dtypes)
        width = self.members.widths.setdefault(key, f"width{len(self.members.widths)}_")
        return f"device::wrapped({width}, {text})"


def _number(value: bool | float, wanted: str) -> str:  # noqa: FBT001 - a literal may be a truth value
    """Return a literal of a C++ type."""
    if wanted == "bool":
        return str(bool(value)).lower()
    if wanted == "int64_t":
        return "INT64_MIN" if value == _SMALLEST else f"int64_t({int(value)})"
    if isinstance(value, float) and not math.isfinite(value):
        sign = "-" if value < 0 else ""
        return f"{wanted}(NAN)" if math.isnan(value) else f"{sign}{wanted}(INFINITY)"
    return f"{wanted}({value!r})" if isinstance(value, float) else f"{wanted}({int(value)})"
