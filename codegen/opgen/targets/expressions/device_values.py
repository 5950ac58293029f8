"""Values of an expression on devices: what is one thing in CUDA and in Triton.

Integers are computed in 64 bits and wrapped to the width of their dtype, floating-point values in 32 or 64: where the dtypes of
a call decide, the launcher hands the type over. What has no dtype, as numbers that are passed, has 64 bits until it meets
something that has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias

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
from opgen.spec.kernel_written import Tightness
from opgen.targets.expressions.handed import Members
from opgen.targets.expressions.operators import Language, Piece, held, joined

SMALLEST = -(2**63)
"""The integer whose literal neither language has."""
_LARGEST_OF_ALL = 127
"""The largest integer that all integer dtypes have."""


TypeKey: TypeAlias = "str | tuple[tuple[str, ...], tuple[str, ...], bool]"
"""`bool`, `int`, `single` or `double`, or what decides about a type: tensors, dtypes, and whether it may be an integer."""


def type_key(type_: ValueType) -> TypeKey:
    """Return what a value is computed in."""
    if type_.kind in {"bool", "int"}:
        return type_.kind
    if not type_.tensors:
        return "single" if type_.dtypes and "float64" not in type_.dtypes else "double"
    return type_.tensors, type_.dtypes, type_.kind == "number"


@dataclass(frozen=True, slots=True)
class Words:
    """What a language calls things.

    Attributes:
        operators: its table.
        types: by kind and width.
        chosen: what the first type is called that a call decides about, and the others, by number.
        scalar: what a scalar argument is called.
        size: what a size is handed over as, by number, and how that is read.
        given: how is read whether an argument was given.
        width: what the width of an integer is handed over as, by number.
        converted: a value in another type.
        wrapped: an integer wrapped to a width.
        of_bools: operators between truth values, ``and`` and ``or`` among them.
        powers: exponents that need no power, and the functions that do instead.
    """

    operators: Language
    types: Mapping[str, str]
    chosen: tuple[str, str]
    scalar: str
    size: tuple[str, str]
    given: str
    width: str
    converted: str
    wrapped: str
    of_bools: Mapping[str, str]
    powers: Mapping[object, str]


@dataclass(frozen=True)
class DeviceValues(ABC):
    """Renders values; a subclass says them in its language.

    Attributes:
        members: collects what is mentioned.
        names: of bindings and reductions.
        operands: the names of loaded elements, by operand.
        places: the names of places, by axis.
    """

    members: Members
    names: Mapping[str, str]
    operands: Mapping[Operand, str]
    places: Mapping[str, str]

    WORDS: ClassVar[Words]

    def type_of(self, type_: ValueType) -> str:
        """Return the type that a value is computed in, as the kernel spells it."""
        return self._name_of(type_key(type_))

    def load_type(self, operand: Operand, own: ValueType) -> str:  # noqa: ARG002 - a language may have another one
        """Return the type that an operand is read in."""
        return self.type_of(own)

    def _name_of(self, key: TypeKey) -> str:
        if isinstance(key, str):
            return self.WORDS.types[key]
        count, (first, other) = len(self.members.types), self.WORDS.chosen
        return self.members.types.setdefault(key, other.format(count) if count else first)

    def text(self, value: Value, wanted: str = "", at_least: Tightness = Tightness.CHOICE) -> str:
        """Return a value as an expression of a type, of its own if none is wanted."""
        return held(self._piece(value, wanted or self.type_of(value.type)), at_least)

    def _piece(self, value: Value, wanted: str) -> Piece:
        if isinstance(value, Number):
            return self._number(value.value, wanted)
        own = self.load_type(value.operand, value.type) if isinstance(value, Load) else self.type_of(value.type)
        name = self._name(value)
        piece = self._computed(value, own) if name is None else (name, Tightness.ATOM)
        return piece if own == wanted else (self.WORDS.converted.format(text=piece[0], wanted=wanted), Tightness.ATOM)

    def _name(self, value: Value) -> str | None:  # noqa: PLR0911 - one case a node
        """Render what needs no operation; nothing for other values."""
        match value:
            case Scalar(argument):
                self.members.scalars.setdefault(argument, value)
                return self.WORDS.scalar.format(argument)
            case SizeOf(size):
                name, read = self.WORDS.size
                return read.format(self.members.sizes.setdefault(size, name.format(len(self.members.sizes))))
            case Given(argument):
                return self.WORDS.given.format(self.members.given.setdefault(argument, self._has(argument)))
            case Index(axis):
                return self.places[axis]
            case Load(operand):
                return self.operands[operand]
            case Named(name):
                return self.names[name]
        return None

    def _computed(self, value: Value, own: str) -> Piece:  # noqa: PLR0911 - one case a node
        type_ = value.type
        match value:
            case Unary(operator, operand):
                return self._unary(operator, self._piece(operand, own), type_)
            case Binary(operator, left, right):
                return self._binary(operator, left, right, type_)
            case Compare(operator, left, right, operand_type):
                operands = (self._operand(each, operand_type) for each in (left, right))
                return joined(self.WORDS.operators, operator, *operands)
            case Logical(operator, operands):
                pieces = (self._piece(each, self.WORDS.types["bool"]) for each in operands)
                return joined(self.WORDS.operators, self.WORDS.of_bools[operator], *pieces)
            case Select(condition, then, otherwise):
                branches = self._operand(then, type_), self._operand(otherwise, type_)
                return self._choice(self._piece(condition, self.WORDS.types["bool"]), *branches)
            case Cast(dtype, operand):
                return self._rounded(self.text(operand), dtype, own), Tightness.ATOM
            case Call(function, arguments, argument_type):
                text = self._called(function, [self._operand(each, argument_type)[0] for each in arguments])
                is_test = FUNCTIONS[function].result is Result.TEST
                return (text, Tightness.ATOM) if is_test else self._wrapped((text, Tightness.ATOM), argument_type)
        raise TypeError(f"no such value: {value!r}")

    def _operand(self, value: Value, type_: ValueType) -> Piece:
        """Return a value as one of a type; what has no dtype of its own may have to be wrapped to that of others."""
        piece = self._piece(value, self.type_of(type_))
        is_small = isinstance(value, Number) and 0 <= value.value <= _LARGEST_OF_ALL
        return self._wrapped(piece, type_) if value.type.weak and not is_small else piece

    def _binary(self, operator: str, left: Value, right: Value, type_: ValueType) -> Piece:
        if operator == "**" and (function := self._power(right, type_)):
            return self._wrapped((self._called(function, [self._operand(left, type_)[0]]), Tightness.ATOM), type_)
        operands = self._operand(left, type_), self._operand(right, type_)
        if type_.kind == "bool":
            return joined(self.WORDS.operators, self.WORDS.of_bools[operator], *operands)
        return self._wrapped(self._operated(operator, operands, type_), type_)

    def _power(self, exponent: Value, type_: ValueType) -> str | None:
        """Return the function that does for a power."""
        if not isinstance(exponent, Number) or exponent.value not in self.WORDS.powers or type_.kind == "bool":
            return None
        is_whole = isinstance(exponent.value, int) and exponent.value > 0
        return self.WORDS.powers[exponent.value] if is_whole or type_.kind == "float" else None

    def _wrapped(self, piece: Piece, type_: ValueType) -> Piece:
        if type_.kind not in {"int", "number"} or not (type_.tensors or type_.dtypes):
            return piece
        key = (type_.tensors, type_.dtypes)
        width = self.members.widths.setdefault(key, self.WORDS.width.format(len(self.members.widths)))
        return self.WORDS.wrapped.format(text=piece[0], width=width), Tightness.ATOM

    # --- what languages say differently -------------------------------------------------------------------------------
    @abstractmethod
    def _number(self, value: bool | float, wanted: str) -> Piece:  # noqa: FBT001 - a literal may be a truth value
        """Render a literal of a type."""

    @abstractmethod
    def _has(self, argument: str) -> str:
        """Return the name by which is handed over whether an argument was given."""

    @abstractmethod
    def _rounded(self, text: str, dtype: str, own: str) -> str:
        """Render a value that is rounded to a dtype, in the type that it is computed in."""

    @abstractmethod
    def _called(self, function: str, arguments: Sequence[str]) -> str:
        """Render a call of one of the language's functions."""

    @abstractmethod
    def _unary(self, operator: str, operand: Piece, type_: ValueType) -> Piece:
        """Render ``not``, ``-`` or ``~``."""

    @abstractmethod
    def _operated(self, operator: str, operands: tuple[Piece, Piece], type_: ValueType) -> Piece:
        """Render arithmetic."""

    @abstractmethod
    def _choice(self, condition: Piece, then: Piece, otherwise: Piece) -> Piece:
        """Render a choice."""
