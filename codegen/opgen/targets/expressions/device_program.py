"""A program as kernels on devices compute it: what is the same in CUDA and in Triton."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from opgen.model.compute.nodes import Index, Load, Operand, Program, Store, Value, ValueType
from opgen.model.compute.steps import Reduced, Step, needed, steps_of, value_in
from opgen.model.compute.varying import axes_of_steps
from opgen.model.compute.walk import every
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.spec.kernel_written import render


@dataclass(frozen=True)
class DeviceProgram:
    """A program, taken apart: what it reads and writes, and what is computed at a point or once a row.

    Attributes:
        whole: the program itself.
    """

    whole: Program

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Bindings and reductions, each behind those that it uses."""
        return steps_of(self.whole)

    @property
    def stores(self) -> tuple[Store, ...]:
        """What is written."""
        return self.whole.stores

    @cached_property
    def loads(self) -> tuple[Operand, ...]:
        """What is read, in the order in which it is mentioned."""
        return tuple(self.types)

    @cached_property
    def indices(self) -> tuple[str, ...]:
        """The axes whose places are asked for."""
        return tuple(dict.fromkeys(each.axis for each in self._nodes if isinstance(each, Index)))

    @cached_property
    def types(self) -> Mapping[Operand, ValueType]:
        """The type of what is read."""
        return {each.operand: each.type for each in self._nodes if isinstance(each, Load)}

    @cached_property
    def _nodes(self) -> tuple[Value, ...]:
        values = (*(value_in(step.value) for step in self.steps), *(store.value for store in self.stores))
        return tuple(each for value in values for each in every(value))

    @property
    def reduces(self) -> bool:
        """Whether there are reductions, and so rows of points."""
        return bool(self.whole.reduced)

    def is_of_row(self, operand: Operand | str) -> bool:
        """Whether a tensor, or the place along an axis, is the same all along a row."""
        axes = {operand} if isinstance(operand, str) else {dim.axis for dim in operand.dims}
        return self.reduces and axes.isdisjoint(self.whole.reduced)

    @cached_property
    def at_points(self) -> tuple[Step, ...]:
        """The steps that are computed at each point, in each pass that uses them; the others are once a row."""
        axes, reduced = axes_of_steps(self.steps), frozenset(self.whole.reduced)
        plain = (step for step in self.steps if not isinstance(step.value, Reduced))
        return tuple(step for step in plain if not reduced or axes[step.name] & reduced)

    def of_rows(self) -> Iterator[tuple[Step, ...]]:
        """Yield the steps that are once a row, in order: reductions that one pass can take together, any other alone."""
        pending: list[Step] = []
        for step in self.steps:
            if step in self.at_points:
                continue
            uses = {each.name for each in needed(self.steps, [value_in(step.value)])}
            if any(each.name in uses for each in pending):
                yield tuple(pending)
                pending = []
            if isinstance(step.value, Reduced):
                pending.append(step)
            else:
                yield (step,)
        if pending:
            yield tuple(pending)

    def number_of(self, what: Store | Operand | str) -> int:
        """Return the number of an operand: what is written comes first, then what is read, then places along axes."""
        return [*self.stores, *self.loads, *self.indices].index(what)

    def place(self, axis: str) -> int:
        """Return the place of an axis among those of the iteration space."""
        return [each.name for each in self.whole.axes].index(axis)


def reduced_of(step: Step) -> Reduced:
    """Return the reduction that a step is.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(step.value, Reduced):
        raise TypeError(f"'{step.name}' is no reduction")
    return step.value


def written(op: Op) -> Iterator[str]:
    """Yield the expressions of an op as their author wrote them."""
    for entry in (*op.spec.reduce, *op.spec.pointwise):
        text = render(entry.expression)
        yield f"{entry.key.value}: {text}" if entry.key else text
