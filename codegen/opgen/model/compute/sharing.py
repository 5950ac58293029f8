"""Values that are used more than once become bindings, computed once a point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from opgen.model.compute.nodes import (
    Binding,
    Call,
    Given,
    Index,
    Load,
    Named,
    Number,
    Program,
    Scalar,
    SizeOf,
    Value,
)
from opgen.model.compute.walk import every, parts, with_parts

_LEAVES = (Number, Scalar, SizeOf, Index, Given, Load, Named)


def shared(program: Program) -> Program:
    """Return a program that computes each value once.

    What reads an optional argument stays where it is: its guard stands around it.
    """
    counts = Counter[Value]()
    for value in _roots(program):
        _count(value, counts)
    repeated = [value for value, count in counts.items() if count > 1 and _may_move(value)]
    if not repeated:
        return program
    return _Sharing(program, frozenset(repeated)).program()


def _roots(program: Program) -> Iterator[Value]:
    yield from (binding.value for binding in program.bindings)
    yield from (reduction.value for reduction in program.reductions)
    yield from (store.value for store in program.stores)


def _count(value: Value, counts: Counter[Value]) -> None:
    """Count how often a value is used; what it is made of counts once for all of its uses."""
    if isinstance(value, _LEAVES):
        return
    counts[value] += 1
    if counts[value] == 1:
        for part in parts(value):
            _count(part, counts)


def _may_move(value: Value) -> bool:
    optional = (
        (isinstance(each, Load) and each.operand.is_optional) or (isinstance(each, Scalar) and each.is_optional)
        for each in every(value)
    )
    return not any(optional)


class _Sharing:
    """Replaces repeated values of a program by names."""

    def __init__(self, program: Program, repeated: frozenset[Value]) -> None:
        self._before = program
        self._repeated = repeated
        self._names = {binding.value: binding.name for binding in program.bindings if binding.value in repeated}
        self._taken = {
            *(binding.name for binding in program.bindings),
            *(reduction.name for reduction in program.reductions),
            *(store.target for store in program.stores),
            *(each.operand.argument for value in _roots(program) for each in every(value) if isinstance(each, Load)),
            *(each.argument for value in _roots(program) for each in every(value) if isinstance(each, Scalar)),
            *(axis.name for axis in program.axes),
        }
        self._bindings: dict[str, Binding] = {}

    def program(self) -> Program:
        """Return the program with its new bindings, each in front of what uses it."""
        before = self._before
        authored = {binding.name: binding for binding in before.bindings}
        reductions = tuple(replace(each, value=self._changed(each.value)) for each in before.reductions)
        for binding in authored.values():
            self._bind(binding.name, binding.value)
        stores = tuple(replace(each, value=self._changed(each.value)) for each in before.stores)
        return replace(before, bindings=_in_order(self._bindings), reductions=reductions, stores=stores)

    def _changed(self, value: Value) -> Value:
        if value not in self._repeated or isinstance(value, _LEAVES):
            return with_parts(value, self._changed)
        if value not in self._names:
            self._names[value] = self._free(value)
        name = self._names[value]
        self._bind(name, value)
        return Named(name, value.type, value.span)

    def _bind(self, name: str, value: Value) -> None:
        if name not in self._bindings:
            inner = with_parts(value, self._changed)
            self._bindings.setdefault(name, Binding(name, inner))

    def _free(self, value: Value) -> str:
        """Name a value by what makes it."""
        name = base = f"{value.function}_value" if isinstance(value, Call) else "shared"
        number = 1
        while name in self._taken:
            number += 1
            name = f"{base}{number}"
        self._taken.add(name)
        return name


def _in_order(bindings: dict[str, Binding]) -> tuple[Binding, ...]:
    """Put each binding behind those that it uses."""
    done: dict[str, Binding] = {}

    def put(binding: Binding) -> None:
        for each in every(binding.value):
            if isinstance(each, Named) and each.name in bindings and each.name not in done:
                put(bindings[each.name])
        done[binding.name] = binding

    for binding in bindings.values():
        if binding.name not in done:
            put(binding)
    return tuple(done.values())
