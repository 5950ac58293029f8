"""Values of an expression in Triton, over the functions of ``templates/triton/maths.py.j2``.

As in CUDA: integers are computed in int64 and wrapped to the width of their dtype, floating-point values in float32 or float64;
where the dtypes of a call decide, the launcher hands the type over. What has no dtype is float64.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

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
from opgen.targets.expressions.handed import Members

_SMALLEST = -(2**63)
_OF_BOOLS = {"+": "|", "*": "&", "&": "&", "|": "|", "^": "!="}
_PLAIN = frozenset({"+", "-", "*", "/", "&", "|", "^"})
_FUNCTION = {"//": "floor_divide", "%": "remainder", "**": "power", "<<": "shift_left", ">>": "shift_right"}
_NAMES = {"abs": "absolute", "pow": "power", "round": "nearest", "max": "most", "min": "least"}
"""Functions whose names Python or Triton have for something else."""
_DTYPES = {
    "bool": "int1",
    "float8_e4m3fn": "float8e4nv",
    "float8_e4m3fnuz": "float8e4b8",
    "float8_e5m2": "float8e5",
    "float8_e5m2fnuz": "float8e5b16",
}
_POWERS: Mapping[object, str] = {2: "square", 3: "cube", 0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal"}
"""Exponents that ATen treats alike (``pow_tensor_scalar_optimized``, aten/src/ATen/native/cpu/PowKernel.cpp)."""


@dataclass(frozen=True)
class Values:
    """Renders values.

    Attributes:
        members: collects what is mentioned.
        names: of bindings and reductions.
        operands: the names of loaded elements, by operand.
        places: the names of loaded places, by axis.
    """

    members: Members
    names: Mapping[str, str]
    operands: Mapping[Operand, str]
    places: Mapping[str, str]

    def type_of(self, type_: ValueType) -> str:
        """Return the type that a value is computed in, as Triton spells it in the kernel."""
        match type_.kind:
            case "bool":
                return "tl.int1"
            case "int":
                return "tl.int64"
        if not type_.tensors:
            return "tl.float32" if type_.dtypes and "float64" not in type_.dtypes else "tl.float64"
        count = len(self.members.types)
        name = f"TYPE{count}" if count else "ACC"
        return self.members.types.setdefault((type_.tensors, type_.dtypes, type_.kind == "number"), name)

    def text(self, value: Value, wanted: str) -> str:
        """Return a value as an expression of a type."""
        if isinstance(value, Number):
            return _number(value.value, wanted)
        text, own = self._given(value) or self._computed(value)
        return text if own == wanted else f"convert({text}, {wanted})"

    def plain(self, value: Value) -> str:
        """Return a value as an expression of its own type."""
        return self.text(value, self.type_of(value.type))

    def _given(self, value: Value) -> tuple[str, str] | None:  # noqa: PLR0911 - one case a node
        """Render what needs no operation; nothing for other values."""
        type_ = self.type_of(value.type)
        match value:
            case Scalar(argument):
                self.members.scalars.setdefault(argument, value)
                return f"{argument}_scalar", {"bool": "tl.int1", "int": "tl.int64"}.get(value.type.kind, "tl.float64")
            case SizeOf(size):
                return self.members.sizes.setdefault(size, f"size{len(self.members.sizes)}") + "_scalar", "tl.int64"
            case Given(argument):
                name = self.members.given.setdefault(argument, f"HAS_{argument.upper()}")
                return f"full({name}, tl.int1)", "tl.int1"
            case Index(axis):
                return self.places[axis], "tl.int64"
            case Load(operand):
                return self.operands[operand], type_
            case Named(name):
                return self.names[name], type_
        return None

    def _computed(self, value: Value) -> tuple[str, str]:  # noqa: PLR0911 - one case a node
        type_ = self.type_of(value.type)
        match value:
            case Unary(operator, operand):
                return self._unary(operator, self.text(operand, type_), value.type), type_
            case Binary(operator, left, right):
                if operator == "**" and (power := self._power(left, right, value.type)):
                    return self._wrapped(power, value.type), type_
                texts = (self._operand(left, value.type), self._operand(right, value.type))
                return self._binary(operator, *texts, value.type), type_
            case Compare(operator, left, right, operand_type):
                one, other = self._operand(left, operand_type), self._operand(right, operand_type)
                return f"({one} {operator} {other})", "tl.int1"
            case Logical(operator, operands):
                sign = " & " if operator == "and" else " | "
                return f"({sign.join(self.text(each, 'tl.int1') for each in operands)})", "tl.int1"
            case Select(condition, then, otherwise):
                choices = f"{self._operand(then, value.type)}, {self._operand(otherwise, value.type)}"
                return f"tl.where({self.text(condition, 'tl.int1')}, {choices})", type_
            case Cast(dtype, operand):
                inner = self.type_of(operand.type)
                rounded = f"convert({self.text(operand, inner)}, {triton_dtype(dtype)})"
                return f"convert({rounded}, {type_})", type_
            case Call(function, arguments, argument_type):
                inner = self.type_of(argument_type)
                name = _NAMES.get(function, function)
                text = f"{name}({', '.join(self._operand(each, argument_type) for each in arguments)})"
                if FUNCTIONS[function].result is Result.TEST:
                    return text, "tl.int1"
                return self._wrapped(text, argument_type), inner
        raise TypeError(f"no such value: {value!r}")

    def _operand(self, value: Value, type_: ValueType) -> str:
        """Return a value as one of a type; a negative number wraps where that is unsigned."""
        text = self.text(value, self.type_of(type_))
        return self._wrapped(text, type_) if isinstance(value, Number) and value.value < 0 else text

    def _unary(self, operator: str, operand: str, type_: ValueType) -> str:
        if operator == "not" or (operator == "~" and type_.kind == "bool"):
            return f"({operand} == 0)"
        return self._wrapped(f"({operator}{operand})", type_)

    def _binary(self, operator: str, left: str, right: str, type_: ValueType) -> str:
        if type_.kind == "bool":
            return f"({left} {_OF_BOOLS[operator]} {right})"
        text = f"({left} {operator} {right})" if operator in _PLAIN else f"{_FUNCTION[operator]}({left}, {right})"
        return self._wrapped(text, type_)

    def _power(self, base: Value, exponent: Value, type_: ValueType) -> str | None:
        """Render a power that needs none: `power` of float64 loses digits, and takes long."""
        if not isinstance(exponent, Number) or exponent.value not in _POWERS or type_.kind == "bool":
            return None
        is_whole = isinstance(exponent.value, int) and exponent.value > 0
        return f"{_POWERS[exponent.value]}({self._operand(base, type_)})" if is_whole or type_.kind == "float" else None

    def _wrapped(self, text: str, type_: ValueType) -> str:
        if type_.kind not in {"int", "number"} or not (type_.tensors or type_.dtypes):
            return text
        key = (type_.tensors, type_.dtypes)
        width = self.members.widths.setdefault(key, f"WIDTH{len(self.members.widths)}")
        return f"wrap({text}, {width})"


def triton_dtype(name: str) -> str:
    """Return a dtype as Triton spells it."""
    return f"tl.{_DTYPES.get(name, name)}"


def _number(value: bool | float, wanted: str) -> str:  # noqa: FBT001 - a literal may be a truth value
    """Return a literal of a type."""
    if wanted == "tl.int1":
        return f"full({int(bool(value))}, tl.int1)"
    if wanted == "tl.int64":
        return f"full({'-9223372036854775807 - 1' if value == _SMALLEST else int(value)}, tl.int64)"
    if isinstance(value, float) and not math.isfinite(value):
        return f'full(float("{value}"), {wanted})'
    return f"full({value!r}, {wanted})" if isinstance(value, float) else f"full({int(value)}, {wanted})"
