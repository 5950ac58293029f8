"""Values that are used more than once get a name, and are computed once a point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    Reduction,
    Scalar,
    SizeOf,
    Value,
)
from opgen.model.compute.steps import Reduced, Step, in_order, steps_of, value_in
from opgen.model.compute.walk import every, parts, with_parts

_LEAVES = (Number, Scalar, SizeOf, Index, Given, Load, Named)


def shared(program: Program) -> Program:
    """Return a program that computes each value once."""
    steps, values = share(steps_of(program), [store.value for store in program.stores], _names(program))
    by_name = {step.name: step.value for step in steps}
    return replace(
        program,
        bindings=tuple(Binding(s.name, s.value) for s in steps if not isinstance(s.value, Reduced)),
        reductions=tuple(_with_value(each, by_name[each.name]) for each in program.reductions),
        stores=tuple(replace(store, value=value) for store, value in zip(program.stores, values, strict=True)),
    )


def _with_value(reduction: Reduction, step: Value | Reduced) -> Reduction:
    return replace(reduction, value=value_in(step))


def _names(program: Program) -> set[str]:
    return {axis.name for axis in program.axes} | {store.target for store in program.stores}


def share(steps: Sequence[Step], values: Sequence[Value], taken: Iterable[str]) -> tuple[tuple[Step, ...], list[Value]]:
    """Return steps and values in which each value is computed once.

    What reads an optional argument stays where it is: its guard stands around it.

    Args:
        steps: each behind those that it uses.
        values: what is wanted.
        taken: names that are something else; those of arguments need not be among them.
    """
    whole = [*(value_in(step.value) for step in steps), *values]
    numbers = _Numbers()
    repeated = frozenset(numbers.repeated(whole))
    if not repeated:
        return tuple(steps), [*values]
    arguments = {each.operand.argument for value in whole for each in every(value) if isinstance(each, Load)}
    arguments |= {each.argument for value in whole for each in every(value) if isinstance(each, Scalar)}
    sharing = _Sharing(numbers, repeated, {*taken, *arguments, *(step.name for step in steps)})
    changed = [sharing.step(step) for step in steps]
    results = [sharing.changed(value) for value in values]
    return in_order([*sharing.made.values(), *changed]), results


class _Numbers:
    """Equal values have one number. To hash a value walks through all that it is made of; here each part is looked at once."""

    def __init__(self) -> None:
        self._by_identity: dict[int, int] = {}
        self._by_content: dict[Value, int] = {}

    def of(self, value: Value) -> int:
        """Return the number of a value, which has to live as long as this."""
        number = self._by_identity.get(id(value))
        if number is None:
            content = with_parts(value, lambda part: Named(str(self.of(part)), part.type))
            number = self._by_content.setdefault(content, len(self._by_content))
            self._by_identity[id(value)] = number
        return number

    def repeated(self, values: Iterable[Value]) -> Iterator[int]:
        """Yield the numbers of what is used more than once; what that is made of counts once for all of its uses."""
        counts = Counter[int]()
        waiting = [*values]
        while waiting:
            value = waiting.pop()
            if isinstance(value, _LEAVES):
                continue
            number = self.of(value)
            counts[number] += 1
            if counts[number] == 1:
                waiting += parts(value)
            elif counts[number] == 2 and may_move(value):  # noqa: PLR2004 - once more
                yield number


def may_move(value: Value) -> bool:
    """Whether a value may be computed ahead of what it stands in: it reads nothing that may be absent."""
    optional = (
        (isinstance(each, Load) and each.operand.is_optional) or (isinstance(each, Scalar) and each.is_optional)
        for each in every(value)
    )
    return not any(optional)


class _Sharing:
    """Replaces repeated values by names."""

    def __init__(self, numbers: _Numbers, repeated: frozenset[int], taken: set[str]) -> None:
        self.made: dict[int, Step] = {}
        self._number = numbers.of
        self._repeated = repeated
        self._taken = taken

    def step(self, step: Step) -> Step:
        """Return a step; what is a repeated value itself has its name already."""
        value = step.value
        if isinstance(value, Reduced):
            return replace(step, value=replace(value, value=self.changed(value.value)))
        changed = with_parts(value, self.changed)
        number = self._number(value)
        if number in self._repeated and number not in self.made:
            self.made[number] = replace(step, value=changed)
            return self.made[number]
        return replace(step, value=self.changed(value) if number in self.made else changed)

    def changed(self, value: Value) -> Value:
        """Return a value in which repeated ones are named."""
        number = self._number(value)
        if number not in self._repeated:
            return with_parts(value, self.changed)
        if number not in self.made:
            inner = with_parts(value, self.changed)
            self.made[number] = Step(self._free(value), inner)
        return Named(self.made[number].name, value.type, value.span)

    def _free(self, value: Value) -> str:
        """Name a value by what makes it."""
        name = base = f"{value.function}_value" if isinstance(value, Call) else "shared"
        number = 1
        while name in self._taken:
            number += 1
            name = f"{base}{number}"
        self._taken.add(name)
        return name
