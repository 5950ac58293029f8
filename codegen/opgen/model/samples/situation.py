"""Decides which steps of a plan a call runs, by the cases of the tensor contract and the alternatives of shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product

from opgen.model.evaluate_expression import Environment, UnreadableError, evaluate_expression
from opgen.model.op import Op
from opgen.model.sample_values import SampleValue
from opgen.model.samples.search import names_in, reads_shapes
from opgen.model.tensors import CheckShapes, Step
from opgen.records import dataclass
from opgen.spec.expression import Expression, opposite

_MOST = 32
"""The number of combinations of branches to try for one call."""


@dataclass(frozen=True)
class Situation:
    """The branches of the tensor contract that a call takes.

    Attributes:
        given: the arguments that are not ``None``.
        truths: the conditions of cases, and whether they hold; opposites are not listed separately.
        assumed: conditions that the arguments still have to be chosen for, as they are assumed to hold.
        shapes: tensor -> the index of its shape among alternatives; 0 if it is missing.
    """

    given: frozenset[str]
    truths: Mapping[Expression, bool]
    assumed: tuple[Expression, ...]
    shapes: Mapping[str, int]

    def holds(self, conditions: tuple[Expression, ...]) -> bool:
        """Whether all of some conditions of cases hold."""
        return all(self.truths[each] if each in self.truths else not self.truths[opposite(each)] for each in conditions)

    def steps(self, op: Op) -> Iterator[Step]:
        """Yield the steps that the call runs."""
        for step in op.tensors.steps:
            if self.given.issuperset(step.given) and self.holds(step.when):
                yield step

    def shape_of(self, check: CheckShapes) -> int:
        """Return the index of a tensor's shape among its alternatives."""
        return self.shapes.get(check.tensor, 0)


def situations(
    op: Op,
    given: frozenset[str],
    fixed: Mapping[str, SampleValue],
    wanted: Mapping[Expression, bool],
    shapes: Mapping[str, int],
) -> Iterator[Situation]:
    """Yield the possible situations of a call with some fixed arguments, first those in which conditions hold.

    Args:
        op: the op.
        given: the arguments that are not ``None``.
        fixed: the values of some arguments by name; tensors have any value, since only their presence matters.
        wanted: condition -> whether it must hold.
        shapes: tensor -> the index of its shape among alternatives.
    """
    every = op.case_conditions
    known = {condition: _known(condition, fixed) for condition in every}
    if any(truth is not None and wanted.get(condition, truth) != truth for condition, truth in known.items()):
        return
    is_open = [condition for condition in every if known[condition] is None]
    choices = ((wanted[condition],) if condition in wanted else (True, False) for condition in is_open)
    for chosen in islice(product(*choices), _MOST):
        assumed = dict(zip(is_open, chosen, strict=True))
        truths = {condition: assumed.get(condition, bool(truth)) for condition, truth in known.items()}
        conditions = tuple(each if holds else opposite(each) for each, holds in assumed.items())
        yield Situation(given, truths, conditions, shapes)


def _known(condition: Expression, fixed: Mapping[str, SampleValue]) -> bool | None:
    """Return whether a condition holds by the fixed arguments alone; ``None`` if they don't decide it."""
    if reads_shapes(condition) or not names_in(condition) <= fixed.keys():
        return None
    return truth(condition, Environment(fixed, {}))


def truth(condition: Expression, environment: Environment) -> bool | None:
    """Return whether a condition holds; ``None`` if it reads a value that doesn't exist."""
    try:
        return bool(evaluate_expression(condition, environment))
    except (UnreadableError, TypeError):
        return None
