"""Makes a program compute all floating-point values in one type, the promotion of all their types.

PyTorch would compute ``sin(x) * y`` for float32 x and float64 y in two: the sine in float32, the product in float64. In
a fused kernel the wider type costs next to nothing, and makes the result as exact as its dtype.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from opgen.model.compute.nodes import Binding, Call, Compare, Program, Reduction, Store, Value, ValueType
from opgen.model.compute.value_types import join
from opgen.model.compute.walk import every, with_parts


def in_one_precision(program: Program) -> Program:
    """Return the program with one type for all floating-point values but weak ones."""
    types = [*dict.fromkeys(each for each in _types(program) if _is_own(each))]
    if len(types) < 2:  # noqa: PLR2004 - one is one
        return program
    common = reduce(join, types)

    def typed(type_: ValueType) -> ValueType:
        return common if _is_own(type_) else type_

    def changed(value: Value) -> Value:
        value = replace(with_parts(value, changed), type=typed(value.type))
        match value:
            case Compare():
                return replace(value, operand_type=typed(value.operand_type))
            case Call():
                return replace(value, argument_type=typed(value.argument_type))
        return value

    def reduction(each: Reduction) -> Reduction:
        return replace(each, value=changed(each.value), type=typed(each.type))

    return replace(
        program,
        bindings=tuple(Binding(each.name, changed(each.value)) for each in program.bindings),
        reductions=tuple(map(reduction, program.reductions)),
        stores=tuple(Store(each.target, each.dims, changed(each.value), each.per_row) for each in program.stores),
    )


def _is_own(type_: ValueType) -> bool:
    return type_.kind == "float" and not type_.weak


def _types(program: Program) -> Iterator[ValueType]:
    yield from (reduction.type for reduction in program.reductions)
    values = (
        *(binding.value for binding in program.bindings),
        *(reduction.value for reduction in program.reductions),
        *(store.value for store in program.stores),
    )
    for value in (each for whole in values for each in every(whole)):
        yield value.type
        match value:
            case Compare():
                yield value.operand_type
            case Call():
                yield value.argument_type
