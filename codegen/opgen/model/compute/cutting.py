"""Names for the parts of expressions that are nested deeply, before they are differentiated.

A gradient of ``x ** (x ** (x ** …))`` holds each power once for each that it stands in: without names it has as many values as the
cube of the depth, and the files that are generated from it as many characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.model.compute.nodes import Binding, Load, Named, Program, Scalar, Value
from opgen.model.compute.sharing import may_move
from opgen.model.compute.walk import every, with_parts

_HIGHEST = 12
"""Levels of one expression. What people write has fewer."""


def cut(program: Program) -> Program:
    """Return a program with the same results whose expressions are no higher, where nothing optional is read in them."""
    cutting = _Cutting({*_names(program)})
    reductions = tuple(replace(each, value=cutting.cut(each.value)) for each in program.reductions)
    bindings = tuple(replace(each, value=cutting.cut(each.value)) for each in program.bindings)
    stores = tuple(replace(each, value=cutting.cut(each.value)) for each in program.stores)
    if not cutting.made:
        return program
    return replace(program, reductions=reductions, bindings=(*cutting.made, *bindings), stores=stores)


def _names(program: Program) -> Iterator[str]:
    """Yield what has a name already."""
    yield from (axis.name for axis in program.axes)
    yield from (store.target for store in program.stores)
    yield from (binding.name for binding in program.bindings)
    yield from (reduction.name for reduction in program.reductions)
    values = (
        *(binding.value for binding in program.bindings),
        *(reduction.value for reduction in program.reductions),
        *(store.value for store in program.stores),
    )
    for each in (each for value in values for each in every(value)):
        if isinstance(each, Load):
            yield each.operand.argument
        elif isinstance(each, Scalar):
            yield each.argument


class _Cutting:
    """Replaces high values by names."""

    def __init__(self, taken: set[str]) -> None:
        self.made: list[Binding] = []
        self._taken = taken

    def cut(self, value: Value) -> Value:
        """Return a value that is no higher than it may be."""
        return self._lowered(value)[0]

    def _lowered(self, value: Value) -> tuple[Value, int]:
        heights = [0]

        def lower(part: Value) -> Value:
            lowered, height = self._lowered(part)
            heights.append(height)
            return lowered

        lowered, height = with_parts(value, lower), 1 + max(heights)
        if height < _HIGHEST or value.type.kind == "bool" or not may_move(lowered):
            return lowered, height
        name = self._free()
        self.made.append(Binding(name, lowered))
        return Named(name, value.type, value.span), 1

    def _free(self) -> str:
        number = len(self.made) + 1
        while (name := f"part{number}") in self._taken:
            number += 1
        self._taken.add(name)
        return name
