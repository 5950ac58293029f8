"""Which bindings of a program are computed where: at a point, once a row, or once for several walks over a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from opgen.model.compute.functions import FUNCTIONS, Result
from opgen.model.compute.nodes import Binding, Call, Program, Value
from opgen.model.compute.steps import names_in
from opgen.model.compute.walk import axes_of, every
from opgen.targets.cpp.expressions.primitives import Pass, Primitive


def needed(bindings: Sequence[Binding], values: Iterable[Value], at_hand: Collection[str] = ()) -> list[Binding]:
    """Return the bindings that some values use, directly or not; what those at hand are made of isn't looked at."""
    names = {name for value in values for name in names_in(value)}
    for binding in reversed(bindings):
        if binding.name in names and binding.name not in at_hand:
            names.update(names_in(binding.value))
    return [binding for binding in bindings if binding.name in names]


def once_a_row(program: Program) -> frozenset[str]:
    """Return the bindings that are the same all along the reduced axes."""
    axes: dict[str, frozenset[str]] = {}
    for binding in program.bindings:
        axes[binding.name] = axes_of(binding.value, axes)
    return frozenset(name for name, found in axes.items() if program.reduced and found.isdisjoint(program.reduced))


def worth_keeping(program: Program, primitives: Iterable[Primitive]) -> Iterator[str]:
    """Yield the bindings that take long at a point and are needed more than once a row."""
    walks = [[each.value] for each in primitives if isinstance(each, Pass)]
    walks.append([store.value for store in program.stores if not store.per_row])
    uses = Counter(binding.name for values in walks for binding in needed(program.bindings, values))
    at_points = {binding.name for binding in program.bindings} - once_a_row(program)
    for binding in program.bindings:
        if uses[binding.name] > 1 and binding.name in at_points and _takes_long(binding.value):
            yield binding.name


def _takes_long(value: Value) -> bool:
    return any(isinstance(each, Call) and FUNCTIONS[each.function].result is Result.FLOAT for each in every(value))
