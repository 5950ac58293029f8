"""Renders values of an expression for GPU kernels: the part common to CUDA and Triton.

Integers are computed in 64 bits and wrapped to the width of their dtype, floating-point values in 32 or 64 bits. Where
the dtypes of a call decide the type, the launcher passes it to the kernel. A value without dtype, as a scalar argument,
has 64 bits until it is combined with one that has a dtype.
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
from opgen.targets.expressions.kernel_parameters import KernelParameters
from opgen.targets.expressions.operators import Language, Piece, held, joined

SMALLEST = -(2**63)
"""The smallest int64, which has no literal of its own: ``-2**63`` is read as the negative of a number out of range."""
_LARGEST_OF_ALL = 127
"""The largest integer that every integer dtype can hold (int8)."""


TypeKey: TypeAlias = "str | tuple[tuple[str, ...], tuple[str, ...], bool]"
"""The type that a value is computed in: `bool`, `int`, `single` or `double`.

If it depends on the call, a tuple: the tensors and the dtypes that are promoted, and whether the result may be an
integer.
"""


def type_key(type_: ValueType) -> TypeKey:
    """Return the type that a value is computed in."""
    if type_.kind in {"bool", "int"}:
        return type_.kind
    if not type_.tensors:
        return "single" if type_.dtypes and "float64" not in type_.dtypes else "double"
    return type_.tensors, type_.dtypes, type_.kind == "number"


@dataclass(frozen=True, slots=True)
class Words:
    """The syntax of CUDA or Triton, mostly as format strings for a name or number.

    Attributes:
        operators: the precedence table of the operators.
        types: the types ``bool``, ``int``, ``single`` and ``double`` in the language.
        chosen: the name of the first type that depends on the call, and the format of the names of further ones.
        scalar: how a scalar argument is read.
        size: the format of the name under which a size is passed, and how it is read.
        given: how the flag is read that says whether an optional argument was given.
        width: the format of the name under which the bit width of an integer dtype is passed.
        converted: a value converted to a type.
        wrapped: an integer wrapped to a width.
        of_bools: operators between truth values, ``and`` and ``or`` among them.
        powers: exponents for which a function is called instead of the power: ``sqrt`` for 0.5.
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
    """Renders values; a subclass for each language supplies what differs.

    Attributes:
        parameters: collects the scalars, sizes and flags that the rendered values mention.
        names: named value or reduction -> its variable.
        operands: operand -> the variable of its loaded element.
        places: axis -> the expression for the index along it.
    """

    parameters: KernelParameters
    names: Mapping[str, str]
    operands: Mapping[Operand, str]
    places: Mapping[str, str]

    WORDS: ClassVar[Words]

    def type_of(self, type_: ValueType) -> str:
        """Return the type that a value is computed in, in the language of the kernel."""
        return self._name_of(type_key(type_))

    def load_type(self, operand: Operand, own: ValueType) -> str:  # noqa: ARG002 - for overriding
        """Return the type that an operand is loaded in: its own, unless a subclass decides otherwise."""
        return self.type_of(own)

    def _name_of(self, key: TypeKey) -> str:
        if isinstance(key, str):
            return self.WORDS.types[key]
        count, (first, other) = len(self.parameters.types), self.WORDS.chosen
        return self.parameters.types.setdefault(key, other.format(count) if count else first)

    def text(self, value: Value, wanted: str = "", at_least: Tightness = Tightness.CHOICE) -> str:
        """Return a value as an expression of the type ``wanted``, by default of its own type."""
        return held(self._piece(value, wanted or self.type_of(value.type)), at_least)

    def _piece(self, value: Value, wanted: str) -> Piece:
        if isinstance(value, Number):
            return self._number(value.value, wanted)
        own = self.load_type(value.operand, value.type) if isinstance(value, Load) else self.type_of(value.type)
        name = self._name(value)
        piece = self._computed(value, own) if name is None else (name, Tightness.ATOM)
        return piece if own == wanted else (self.WORDS.converted.format(text=piece[0], wanted=wanted), Tightness.ATOM)

    def _name(self, value: Value) -> str | None:  # noqa: PLR0911 - one case a node
        """Render a value that is a variable, without an operation; ``None`` for any other value."""
        match value:
            case Scalar(argument):
                self.parameters.scalars.setdefault(argument, value)
                return self.WORDS.scalar.format(argument)
            case SizeOf(size):
                name, read = self.WORDS.size
                return read.format(self.parameters.sizes.setdefault(size, name.format(len(self.parameters.sizes))))
            case Given(argument):
                return self.WORDS.given.format(self.parameters.given.setdefault(argument, self._has(argument)))
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
        """Render an operand in the type of its operation; an integer without dtype may be wrapped to that type."""
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
        """Return the function to call instead of a power with this exponent, ``None`` if there is none."""
        if not isinstance(exponent, Number) or exponent.value not in self.WORDS.powers or type_.kind == "bool":
            return None
        is_whole = isinstance(exponent.value, int) and exponent.value > 0
        return self.WORDS.powers[exponent.value] if is_whole or type_.kind == "float" else None

    def _wrapped(self, piece: Piece, type_: ValueType) -> Piece:
        if type_.kind not in {"int", "number"} or not (type_.tensors or type_.dtypes):
            return piece
        key = (type_.tensors, type_.dtypes)
        width = self.parameters.widths.setdefault(key, self.WORDS.width.format(len(self.parameters.widths)))
        return self.WORDS.wrapped.format(text=piece[0], width=width), Tightness.ATOM

    # --- for the language to supply -----------------------------------------------------------------------------------
    @abstractmethod
    def _number(self, value: bool | float, wanted: str) -> Piece:  # noqa: FBT001 - a literal may be a truth value
        """Render a literal of a type."""

    @abstractmethod
    def _has(self, argument: str) -> str:
        """Return the name of the flag that says whether an optional argument was given."""

    @abstractmethod
    def _rounded(self, text: str, dtype: str, own: str) -> str:
        """Render a value rounded to a dtype and converted back to the type that it is computed in."""

    @abstractmethod
    def _called(self, function: str, arguments: Sequence[str]) -> str:
        """Render a call of a function of the kernel's maths library."""

    @abstractmethod
    def _unary(self, operator: str, operand: Piece, type_: ValueType) -> Piece:
        """Render ``not``, ``-`` or ``~``."""

    @abstractmethod
    def _operated(self, operator: str, operands: tuple[Piece, Piece], type_: ValueType) -> Piece:
        """Render an arithmetic or bitwise operation."""

    @abstractmethod
    def _choice(self, condition: Piece, then: Piece, otherwise: Piece) -> Piece:
        """Render ``then if condition else otherwise``."""
