"""A program of ``pointwise`` or ``reduce`` prepared for GPU kernels: the part common to CUDA and Triton."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from opgen.model.compute.nodes import Given, Index, Load, Operand, Program, Scalar, Store, Value, ValueType
from opgen.model.compute.steps import Reduced, Step, needed, steps_of, value_in
from opgen.model.compute.varying import axes_of_steps
from opgen.model.compute.walk import every
from opgen.records import dataclass


@dataclass(frozen=True)
class DeviceProgram:
    """A program with its loads, stores and steps, and which steps are computed at each point or once for each row.

    A row is the run of points that a reduction combines.

    Attributes:
        whole: the program itself.
    """

    whole: Program

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The named values and reductions, each after the ones it uses."""
        return steps_of(self.whole)

    @property
    def stores(self) -> tuple[Store, ...]:
        """The values that are stored, each with its target."""
        return self.whole.stores

    @cached_property
    def loads(self) -> tuple[Operand, ...]:
        """The operands that are loaded, in the order in which the program mentions them."""
        return tuple(self.types)

    @cached_property
    def indices(self) -> tuple[str, ...]:
        """The axes whose index the program uses as a value."""
        return tuple(dict.fromkeys(each.axis for each in self._nodes if isinstance(each, Index)))

    @cached_property
    def types(self) -> Mapping[Operand, ValueType]:
        """The type of each loaded operand."""
        return {each.operand: each.type for each in self._nodes if isinstance(each, Load)}

    @cached_property
    def scalars(self) -> frozenset[str]:
        """The arguments whose values are parameters of the kernel."""
        return frozenset(each.argument for each in self._nodes if isinstance(each, Scalar))

    @cached_property
    def optional(self) -> frozenset[str]:
        """The arguments for which a parameter of the kernel tells whether they were given."""
        given = {each.argument for each in self._nodes if isinstance(each, Given)}
        return frozenset(given | {operand.argument for operand in self.loads if operand.is_optional})

    @cached_property
    def _nodes(self) -> tuple[Value, ...]:
        values = (*(value_in(step.value) for step in self.steps), *(store.value for store in self.stores))
        return tuple(each for value in values for each in every(value))

    @property
    def reduces(self) -> bool:
        """Whether there are reductions, and so rows of points."""
        return bool(self.whole.reduced)

    def is_of_row(self, operand: Operand | str) -> bool:
        """Whether a tensor, or the index along an axis (given by name), is the same at all points of a row."""
        axes = {operand} if isinstance(operand, str) else {dim.axis for dim in operand.dims}
        return self.reduces and axes.isdisjoint(self.whole.reduced)

    @cached_property
    def at_points(self) -> tuple[Step, ...]:
        """The steps that are computed at each point, again in each pass using them; the others once for each row."""
        axes, reduced = axes_of_steps(self.steps), frozenset(self.whole.reduced)
        plain = (step for step in self.steps if not isinstance(step.value, Reduced))
        return tuple(step for step in plain if not reduced or axes[step.name] & reduced)

    def of_rows(self) -> Iterator[tuple[Step, ...]]:
        """Yield the steps that are computed once for each row, in order.

        Reductions that one pass over the row can compute come together, any other step alone.
        """
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
        """Return the position of an operand in the list of stores, loads and indices that the launcher passes."""
        return [*self.stores, *self.loads, *self.indices].index(what)

    def place(self, axis: str) -> int:
        """Return the position of an axis in the iteration space."""
        return [each.name for each in self.whole.axes].index(axis)


def reduced_of(step: Step) -> Reduced:
    """Return the reduction that a step computes.

    Raises:
        TypeError: the step is no reduction.
    """
    if not isinstance(step.value, Reduced):
        raise TypeError(f"'{step.name}' is no reduction")
    return step.value
