"""Which steps of a plan a call runs: forms by condition and alternatives of shape make it more than one plan."""

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
"""How many combinations of branches are tried for one call."""


@dataclass(frozen=True)
class Situation:
    """The branches that a call takes.

    Attributes:
        given: the arguments that are not ``None``.
        truths: the conditions that forms ask, and whether they hold; of each and its opposite, one.
        assumed: those of them, or their opposites, that the arguments are yet to be chosen by.
        shapes: which of the alternatives of shape a tensor has; the first where nothing is said.
    """

    given: frozenset[str]
    truths: Mapping[Expression, bool]
    assumed: tuple[Expression, ...]
    shapes: Mapping[str, int]

    def holds(self, conditions: tuple[Expression, ...]) -> bool:
        """Whether all of some conditions that forms ask hold."""
        return all(self.truths[each] if each in self.truths else not self.truths[opposite(each)] for each in conditions)

    def steps(self, op: Op) -> Iterator[Step]:
        """Yield the steps that are run."""
        for step in op.tensors.steps:
            if self.given.issuperset(step.given) and self.holds(step.when):
                yield step

    def shape_of(self, check: CheckShapes) -> int:
        """Return the place of the alternative that a tensor has."""
        return self.shapes.get(check.tensor, 0)


def situations(
    op: Op,
    given: frozenset[str],
    fixed: Mapping[str, SampleValue],
    wanted: Mapping[Expression, bool],
    shapes: Mapping[str, int],
) -> Iterator[Situation]:
    """Yield the situations in which a call with some fixed arguments may be, those first where conditions hold.

    Args:
        op: whose conditions are asked.
        given: the arguments that are not ``None``.
        fixed: arguments by name; tensors stand for themselves.
        wanted: which conditions are to hold, and which not.
        shapes: which alternative each tensor has.
    """
    every = op.asked
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
    """Return whether a condition holds, as far as fixed arguments tell."""
    if reads_shapes(condition) or not names_in(condition) <= fixed.keys():
        return None
    return truth(condition, Environment(fixed, {}))


def truth(condition: Expression, environment: Environment) -> bool | None:
    """Return whether a condition holds; ``None`` where something that it reads is not there."""
    try:
        return bool(evaluate_expression(condition, environment))
    except (UnreadableError, TypeError):
        return None
