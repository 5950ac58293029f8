"""Limits the depth of expressions before they are differentiated, by naming parts of deeply nested ones.

The gradient of ``x ** (x ** (x ** …))`` repeats each power for every power around it: without names the number of
values, and so the size of generated files, grows with the cube of the depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from opgen.model.compute.derivative import Guards
from opgen.model.compute.nodes import Binding, Load, Named, Program, Scalar, Select, Value
from opgen.model.compute.sharing import may_move
from opgen.model.compute.walk import every, with_parts

_MAX_DEPTH = 12
"""Levels of one expression; hand-written ones have fewer."""
_MAX_GUARDS = 4
"""The most choices around a named part: its gradient, and that of every part below it, is guarded by each of them."""


def limit_depth(program: Program) -> tuple[Program, Mapping[str, Guards]]:
    """Return an equal program with expressions of limited depth, and the guards of each named part.

    The guards are the conditions of the choices around the part: what they exclude gets no gradient. Parts that read
    optional arguments are kept.
    """
    limit = _DepthLimit({*_names(program)})
    reductions = tuple(replace(each, value=limit.limited(each.value)) for each in program.reductions)
    bindings = tuple(replace(each, value=limit.limited(each.value)) for each in program.bindings)
    stores = tuple(replace(each, value=limit.limited(each.value)) for each in program.stores)
    if not limit.made:
        return program, {}
    named = tuple(Binding(name, value) for name, (value, _) in limit.made.items())
    guards = {name: guards for name, (_, guards) in limit.made.items()}
    return replace(program, reductions=reductions, bindings=(*named, *bindings), stores=stores), guards


def _names(program: Program) -> Iterator[str]:
    """Yield the names that are taken."""
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


class _DepthLimit:
    """Moves parts of deep values into bindings.

    Attributes:
        made: the value and the guards of each new name, each after the ones it uses.
    """

    def __init__(self, taken: set[str]) -> None:
        self.made: dict[str, tuple[Value, Guards]] = {}
        self._taken = taken
        self._guards: Guards = ()

    def limited(self, value: Value) -> Value:
        """Return a value of limited depth, in which parts are replaced by names."""
        return self._lowered(value)[0]

    def _lowered(self, value: Value) -> tuple[Value, int]:
        depths = [0]

        def lower(part: Value) -> Value:
            lowered, depth = self._lowered(part)
            depths.append(depth)
            return lowered

        lowered = self._choice(value, lower) if isinstance(value, Select) else with_parts(value, lower)
        depth = 1 + max(depths)
        is_kept = depth < _MAX_DEPTH or len(self._guards) > _MAX_GUARDS
        if is_kept or value.type.kind == "bool" or not may_move(lowered):
            return lowered, depth
        name = self._free()
        self.made[name] = (lowered, self._guards)
        return Named(name, value.type, value.span), 1

    def _choice(self, value: Select, lower: Callable[[Value], Value]) -> Select:
        condition, around = lower(value.condition), self._guards
        self._guards = (*around, (condition, True))
        then = lower(value.then)
        self._guards = (*around, (condition, False))
        otherwise = lower(value.otherwise)
        self._guards = around
        return replace(value, condition=condition, then=then, otherwise=otherwise)

    def _free(self) -> str:
        number = len(self.made) + 1
        while (name := f"part{number}") in self._taken:
            number += 1
        self._taken.add(name)
        return name
