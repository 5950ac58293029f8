"""Applies operators and functions to values: checks the kinds of operands and decides the type of the result.

A method returns ``None`` after reporting why there is no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opgen.model.compute import codes
from opgen.model.compute.functions import FUNCTIONS, Result
from opgen.model.compute.here import Here
from opgen.model.compute.nodes import (
    Binary,
    BinaryOperator,
    Call,
    Cast,
    Compare,
    ComparisonOperator,
    Kind,
    Logical,
    Number,
    Select,
    Unary,
    UnaryOperator,
    Value,
    ValueType,
)
from opgen.model.compute.value_types import BOOL, adopt, as_float, join
from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.dtypes import FLOAT8, INTEGRAL

NUMBERS: tuple[Kind, ...] = ("int", "number", "float")
_BITWISE = ("&", "|", "^")
_WORDS: dict[Kind, str] = {
    "bool": "a truth value",
    "int": "an integer",
    "float": "a floating-point value",
    "number": "what may be a floating-point value",
}


@dataclass(frozen=True)
class Operators:
    """Makes the nodes of operations; mistakes are reported at ``here``."""

    here: Here

    def unary(self, operator: UnaryOperator, value: Value, span: Span) -> Value | None:
        """Return ``-x``, ``~x`` or ``not x``."""
        kind = value.type.kind
        if operator == "not":
            fits = self.expect((value,), ("bool",), "'not' takes a truth value", "compare with 0")
        elif operator == "~":
            remedy = "write `not x`" if kind == "bool" else "cast it, `int32(x)`"
            fits = self.expect((value,), ("int",), "'~' takes an integer", remedy)
        else:
            fits = self.expect((value,), NUMBERS, "'-' takes a number", "write `not x`")
        return Unary(operator, value, BOOL if operator == "not" else value.type, span) if fits else None

    def binary(self, operator: BinaryOperator, left: Value, right: Value, span: Span) -> Value | None:
        """Return an operation of two values."""
        both = (left, right)
        if not self._takes(operator, left, right) or (type_ := self.promoted_type(both, span)) is None:
            return None
        kinds = {value.type.kind for value in both}
        if operator in _BITWISE and "bool" in kinds and len(kinds) > 1:
            message = f"'{operator}' takes two integers or two truth values, found one of each"
            self.here.refuse(codes.KIND, span, message, "cast the truth value, `int32(x)`")
            return None
        if type_.kind == "bool" and operator not in _BITWISE:
            message = f"'{operator}' takes numbers, found two truth values"
            self.here.refuse(codes.KIND, span, message, "cast one of them, `int32(x)`")
            return None
        if operator == "**" and type_.kind == "int" and isinstance(right, Number) and right.value < 0:
            message = "an integer to a negative power is no integer"  # PyTorch refuses it too
            remedy = f"write `float32({self._written(left)}) ** {self._written(right)}`"
            self.here.refuse(codes.KIND, span, message, remedy)
            return None
        computed = as_float(type_) if operator == "/" else type_
        return Binary(operator, adopt(left, computed), adopt(right, computed), computed, span)

    def _takes(self, operator: BinaryOperator, left: Value, right: Value) -> bool:
        if operator in _BITWISE:
            remedy = (
                "cast it, `int32(x)`; join conditions by `and` and `or`, since `&` and `|` hold more tightly than `>`"
            )
            if operator == "^" and "float" in (left.type.kind, right.type.kind):
                remedy = f"'^' is xor: write `{self._written(left)} ** {self._written(right)}` for a power"
            return self.expect((left, right), ("bool", "int"), f"'{operator}' takes integers or truth values", remedy)
        if operator in ("<<", ">>"):
            return self.expect((left, right), ("int",), f"'{operator}' takes integers", "cast it, `int32(x)`")
        return True

    def _written(self, value: Value) -> str:
        return self.here.text.value[value.span.start : value.span.end]

    def comparison(self, operators: Sequence[ComparisonOperator], values: Sequence[Value], span: Span) -> Value | None:
        """Return a comparison, or a chain of them joined by ``and``."""
        compared: list[Value] = []
        for operator, left, right in zip(operators, values, values[1:], strict=False):
            part = Span(left.span.start, right.span.end)
            if (type_ := self.promoted_type((left, right), part)) is None:
                return None
            if type_.kind == "bool" and operator not in ("==", "!="):
                self.here.refuse(codes.KIND, part, f"'{operator}' compares numbers, found two truth values")
                return None
            compared.append(Compare(operator, adopt(left, type_), adopt(right, type_), type_, BOOL, part))
        return compared[0] if len(compared) == 1 else Logical("and", tuple(compared), BOOL, span)

    def select(self, condition: Value, then: Value, otherwise: Value, span: Span) -> Value | None:
        """Return the choice between two values, converted to one type."""
        type_ = self.promoted_type((then, otherwise), span)
        if type_ is None:
            return None
        return Select(condition, adopt(then, type_), adopt(otherwise, type_), type_, span)

    def call(self, name: str, values: Sequence[Value], span: Span) -> Value | None:
        """Call a function of the table."""
        type_ = self.promoted_type(values, span)
        if not self.expect(values, NUMBERS, f"'{name}' takes numbers", "cast it, `float32(x)`") or type_ is None:
            return None
        if name == "pow":
            return self.binary("**", values[0], values[1], span)
        if name == "clamp":
            value, low, high = (adopt(each, type_) for each in values)
            return Call("minimum", (Call("maximum", (value, low), type_, type_, span), high), type_, type_, span)
        result = FUNCTIONS[name].result
        computed = type_ if result is Result.SAME else as_float(type_)
        taken = tuple(adopt(each, computed) for each in values)
        return Call(name, taken, computed, BOOL if result is Result.TEST else computed, span)

    @staticmethod
    def cast(dtype: str, value: Value, span: Span) -> Value:
        """Return a value rounded to a dtype; float8 values are computed in float32 afterwards."""
        kind: Kind = "bool" if dtype == "bool" else "int" if dtype in INTEGRAL else "float"
        return Cast(dtype, value, ValueType(kind, dtypes=("float32" if dtype in FLOAT8 else dtype,)), span)

    def promoted_type(self, values: Iterable[Value], span: Span) -> ValueType | None:
        """Return the promoted type of some values."""
        values = tuple(values)
        first, *others = (value.type for value in values)
        for other in others:
            if _is_open(first, other) or _is_open(other, first):
                message = "a `Scalar` meets what may be an integer: the dtype would depend on the call"
                remedy = "declare it as `float` or `int`, or give the tensor the class `float`"
                self.here.refuse(codes.DTYPE, span, message, remedy)
                return None
            first = join(first, other)
        return first if all(self._has_place(value, first) for value in values if isinstance(value, Number)) else None

    def _has_place(self, literal: Number, type_: ValueType) -> bool:
        """Whether some dtype of ``type_`` can hold a literal; else it is reported, since it would wrap around."""
        tensors, dtypes = type_.tensors, type_.dtypes
        if type_.kind != "int" or type_.weak or len(tensors) + len(dtypes) != 1:
            return True
        names = dtypes or self.here.context.types.of_argument(tensors[0]).names
        if any(-_greatest(name) - 1 <= literal.value <= _greatest(name) for name in names):
            return True  # a negative literal wraps around in an unsigned dtype, as in PyTorch
        what = f"'{tensors[0]}' holds" if tensors else "the other value is"
        message = f"{literal.value} has no place in {' or '.join(names)}, which {what}"
        remedy = f"cast what it meets to a wider dtype, `int64({tensors[0]})`" if tensors else "cast to a wider dtype"
        self.here.refuse(codes.DTYPE, literal.span, message, remedy)
        return False

    def expect(self, values: Iterable[Value], kinds: tuple[Kind, ...], rule: str, remedy: str) -> bool:
        """Whether all values are of the given kinds; the first that isn't is reported."""
        wrong = next((value for value in values if value.type.kind not in kinds), None)
        if wrong is not None:
            self.here.refuse(codes.KIND, wrong.span, f"{rule}, found {_WORDS[wrong.type.kind]}", remedy)
        return wrong is None


def _greatest(dtype: str) -> int:
    """Return the largest integer of a dtype."""
    bits = int(dtype.lstrip("uint"))
    return (1 << bits if dtype.startswith("u") else 1 << bits - 1) - 1


def _is_open(scalar: ValueType, other: ValueType) -> bool:
    """Whether the type of an operation depends on whether the ``Scalar`` of a call is an integer."""
    return scalar.weak and scalar.kind == "number" and not other.weak and other.kind != "float"
