"""The rule of conversions: what a value is computed in, and what it wants its parts in.

Plan and text both follow it, so that what the one says is read or chosen is what the other mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from opgen.model.compute.nodes import (
    Binary,
    Call,
    Cast,
    Compare,
    Index,
    Load,
    Logical,
    Named,
    Number,
    Operand,
    Program,
    Scalar,
    Select,
    SizeOf,
    Unary,
    Value,
)
from opgen.records import dataclass
from opgen.targets.cpp.expressions.bindings import needed
from opgen.targets.cpp.expressions.primitives import Count, Pass, Primitive
from opgen.targets.cpp.expressions.types import CppType, Types


@dataclass(frozen=True, slots=True)
class Place:
    """The places along an axis, as they are read."""

    axis: str


Typed: TypeAlias = tuple[Value, CppType]
"""A value, and the type that it is wanted in."""


@dataclass(frozen=True)
class Conversions:
    """The rule for one program.

    Attributes:
        types: of its values by themselves.
        named: what bindings, and what reductions are made of, are computed in.
        read: what operands and places are read in where all of their uses want one type, so that an operand of any dtype
            needs no code of its own.
    """

    types: Types
    named: Mapping[str, CppType]
    read: Mapping[Operand | Place, CppType]

    def computed_in(self, value: Value, wanted: CppType) -> CppType:
        """Return what a value is computed in where some type is wanted, to which it is converted if that is another one."""
        match value:
            case Number() | Scalar() | SizeOf():
                return wanted
            case Select() if value.type.weak:
                return wanted
            case Load(operand) if operand in self.read:
                return self.read[operand]
            case Index(axis):
                return self.read.get(Place(axis), "int64_t")
        return self.by_itself(value)

    def by_itself(self, value: Value) -> CppType:
        """Return what a value is computed in where nothing else is wanted."""
        return self.named[value.name] if isinstance(value, Named) else self.types.of(value.type)

    def parts(self, value: Value, own: CppType) -> tuple[Typed, ...]:  # noqa: PLR0911 - one case a node
        """Return what a value that is computed in a type is computed from, left to right."""
        match value:
            case Unary(operator, operand):
                return ((operand, "bool" if operator == "not" else own),)
            case Binary(_, left, right):
                return (left, own), (right, own)
            case Compare(_, left, right, operand_type):
                common = self.types.of(operand_type)
                return (left, common), (right, common)
            case Logical(_, operands):
                return tuple((each, "bool") for each in operands)
            case Select(condition, then, otherwise):
                return (condition, "bool"), (then, own), (otherwise, own)
            case Cast(_, operand):
                return ((operand, self.by_itself(operand)),)
            case Call(_, arguments, argument_type):
                common = self.types.of(argument_type)
                return tuple((each, common) for each in arguments)
        return ()

    def uses(self, value: Value, wanted: CppType) -> Iterator[Typed]:
        """Yield a value and all that it is made of, each before its parts, those from left to right."""
        waiting: list[Typed] = [(value, wanted)]
        while waiting:
            each, type_ = waiting.pop()
            yield each, type_
            waiting += reversed(self.parts(each, self.computed_in(each, type_)))


def conversions_of(program: Program, primitives: Sequence[Primitive], types: Types) -> Conversions:
    """Find what is read in which type."""
    named = {binding.name: types.of(binding.value.type) for binding in program.bindings}
    named |= {each.name: "int64_t" if _is_place(each) else types.of(each.type) for each in primitives}
    plain = Conversions(types, named, {})
    wanted: dict[Operand | Place, set[CppType]] = {}
    for value, own in _computed(program, primitives, plain):
        for each, type_ in plain.uses(value, own):
            if isinstance(each, Load | Index):
                read = each.operand if isinstance(each, Load) else Place(each.axis)
                wanted.setdefault(read, set()).add(type_)
    return replace(plain, read={read: found.pop() for read, found in wanted.items() if len(found) == 1})


def _is_place(primitive: Primitive) -> bool:
    return isinstance(primitive, Pass) and primitive.is_place


def _computed(program: Program, primitives: Iterable[Primitive], plain: Conversions) -> Iterator[Typed]:
    """Yield all that the kernel computes."""
    roots: list[Typed] = [(store.value, plain.types.of(store.value.type)) for store in program.stores]
    for each in primitives:
        if isinstance(each, Pass):
            roots.append((each.value, plain.types.of(each.taken)))
        elif not isinstance(each.value, Count):
            roots.append((each.value, plain.named[each.name]))
    yield from roots
    for binding in needed(program.bindings, [value for value, _ in roots]):
        yield binding.value, plain.named[binding.name]
