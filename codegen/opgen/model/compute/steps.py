"""A program as a list of statements, for back ends that compute on whole tensors or need their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from opgen.model.compute.nodes import Named, Program, ReductionFunction, Value, ValueType
from opgen.model.compute.walk import every
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Reduced:
    """A value reduced along axes, which are given by name; the other fields are those of ``Reduction``."""

    function: ReductionFunction
    value: Value
    axes: tuple[str, ...]
    type: ValueType
    correction: int = 1


Computed: TypeAlias = Value | Reduced


@dataclass(frozen=True, slots=True)
class Step:
    """A named value or reduction, which may use the names before it.

    Attributes:
        name: its name.
        value: the value or reduction.
        when: conditions that are the same at every point, each with whether it must hold for the step to be computed.
    """

    name: str
    value: Computed
    when: tuple[tuple[Value, bool], ...] = ()


def value_in(computed: Computed) -> Value:
    """Return the value itself; of a reduction, the value that is reduced."""
    return computed.value if isinstance(computed, Reduced) else computed


def steps_of(program: Program) -> tuple[Step, ...]:
    """Return the bindings and reductions of a program, each after the ones it uses."""
    reductions = (
        Step(each.name, Reduced(each.function, each.value, program.reduced, each.type, each.correction))
        for each in program.reductions
    )
    return in_order([*reductions, *(Step(binding.name, binding.value) for binding in program.bindings)])


def in_order(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Sort steps so that each comes after the ones it uses; otherwise the order is kept."""
    by_name = {step.name: step for step in steps}
    done: dict[str, Step] = {}
    for first in by_name.values():
        waiting = [] if first.name in done else [(first, names_of(first))]
        while waiting:
            step, names = waiting[-1]
            used = next((by_name[name] for name in names if name in by_name and name not in done), None)
            if used is not None:
                waiting.append((used, names_of(used)))
            else:
                done[step.name] = step
                waiting.pop()
    return tuple(done.values())


def needed(steps: Iterable[Step], values: Iterable[Value]) -> tuple[Step, ...]:
    """Return the steps that some values use, directly or through other steps."""
    ordered = [*steps]
    names = {name for value in values for name in names_in(value)}
    for step in reversed(ordered):
        if step.name in names:
            names.update(names_of(step))
    return tuple(step for step in ordered if step.name in names)


def names_of(step: Step) -> Iterator[str]:
    """Yield the names that a step uses directly."""
    yield from names_in(value_in(step.value))
    for condition, _ in step.when:
        yield from names_in(condition)


def names_in(value: Value) -> Iterator[str]:
    """Yield the names that a value uses directly."""
    yield from (each.name for each in every(value) if isinstance(each, Named))
