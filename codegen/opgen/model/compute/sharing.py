"""Eliminates common subexpressions: a value that is used more than once gets a name, and is computed once."""

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
    """Return an equal program that computes each value once."""
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

    A value that reads an optional argument isn't shared, since it must stay inside of its guard.

    Args:
        steps: the steps, each after the ones it uses.
        values: the values that are computed from them.
        taken: names that new steps must not have; those of arguments are excluded in any case.
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
    """Numbers values so that equal ones have the same number.

    Hashing values directly would walk through the whole tree of each; here each node is visited once.
    """

    def __init__(self) -> None:
        self._by_identity: dict[int, int] = {}
        self._by_content: dict[Value, int] = {}

    def of(self, value: Value) -> int:
        """Return the number of a value; it must stay alive as long as this object, which remembers its ``id``."""
        number = self._by_identity.get(id(value))
        if number is None:
            content = with_parts(value, lambda part: Named(str(self.of(part)), part.type))
            number = self._by_content.setdefault(content, len(self._by_content))
            self._by_identity[id(value)] = number
        return number

    def repeated(self, values: Iterable[Value]) -> Iterator[int]:
        """Yield the numbers of values used more than once; the operands of such a value count once, not per use."""
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
            elif counts[number] == 2 and may_move(value):  # noqa: PLR2004 - the second use
                yield number


def may_move(value: Value) -> bool:
    """Whether a value may be computed before the expression around it: it reads no optional argument."""
    optional = (
        (isinstance(each, Load) and each.operand.is_optional) or (isinstance(each, Scalar) and each.is_optional)
        for each in every(value)
    )
    return not any(optional)


class _Sharing:
    """Replaces repeated values by names.

    Attributes:
        made: number of a repeated value -> the step that computes it.
    """

    def __init__(self, numbers: _Numbers, repeated: frozenset[int], taken: set[str]) -> None:
        self.made: dict[int, Step] = {}
        self._number = numbers.of
        self._repeated = repeated
        self._taken = taken

    def step(self, step: Step) -> Step:
        """Return a step with repeated values replaced; a step whose own value is repeated becomes the shared one."""
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
        """Return a value in which repeated values are replaced by names."""
        number = self._number(value)
        if number not in self._repeated:
            return with_parts(value, self.changed)
        if number not in self.made:
            inner = with_parts(value, self.changed)
            self.made[number] = Step(self._free(value), inner)
        return Named(self.made[number].name, value.type, value.span)

    def _free(self, value: Value) -> str:
        """Choose a free name for a value: ``exp_value`` for a call of ``exp``, else ``shared``."""
        name = base = f"{value.function}_value" if isinstance(value, Call) else "shared"
        number = 1
        while name in self._taken:
            number += 1
            name = f"{base}{number}"
        self._taken.add(name)
        return name
