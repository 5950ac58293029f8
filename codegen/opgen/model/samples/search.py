"""A bounded, deterministic search for values that satisfy conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache

from opgen.model.evaluate_expression import Environment, UnreadableError, evaluate_expression
from opgen.model.sample_values import SampleValue
from opgen.records import dataclass
from opgen.spec.expression import Call, Expression, Item, Name, Size
from opgen.spec.walk import walk

_MOST_NODES = 20_000
"""The default bound of a search in partial assignments: a fraction of a second."""

_MOST_FREE = 6
"""The number of values to try for a name that no condition reads, if some condition reads shapes."""

Assignment = Mapping[str, SampleValue]


@lru_cache(maxsize=1024)
def names_in(expression: Expression) -> frozenset[str]:
    """Return the names that an expression reads."""
    return frozenset(node.name for node in walk(expression) if isinstance(node, Name | Item))


@lru_cache(maxsize=1024)
def reads_shapes(expression: Expression) -> bool:
    """Whether an expression reads tensors (``x.size(0)``), so that it can't be evaluated before they are made."""
    return any(
        isinstance(node, Size) or (isinstance(node, Call) and node.function in ("rank", "numel"))
        for node in walk(expression)
    )


def assignments(
    candidates: Mapping[str, Sequence[SampleValue]],
    conditions: Sequence[Expression],
    fixed: Assignment,
    most_nodes: int = _MOST_NODES,
) -> Iterator[dict[str, SampleValue]]:
    """Yield values for every variable that satisfy all conditions, first candidates first.

    Groups of names that no condition connects are searched separately, so that a contradiction in one group doesn't
    multiply the search by the values of the others.

    Args:
        candidates: the values to try for each variable, the best first.
        conditions: the conditions; those that read shapes are left to the caller.
        fixed: the values of other names.
        most_nodes: the bound on partial assignments for one group of names.
    """
    judged = [condition for condition in conditions if not reads_shapes(condition)]
    if not all(_holds(condition, fixed) for condition in judged if not names_in(condition) & candidates.keys()):
        return
    most_free = _MOST_FREE if len(judged) < len(conditions) else 1
    solutions: list[_Replayed] = []
    for group in _groups(candidates, judged):
        tied = [condition for condition in judged if not names_in(condition).isdisjoint(group)]
        choices = {name: candidates[name] if tied else candidates[name][:most_free] for name in group}
        solutions.append(_Replayed(_solve(choices, tied, fixed, most_nodes)))
    if all(next(iter(group), None) is not None for group in solutions):
        yield from _combined(solutions)


@dataclass
class _Replayed:
    """A lazy iterator that remembers its items, so that it can be iterated several times."""

    source: Iterator[dict[str, SampleValue]]
    seen: list[dict[str, SampleValue]] = field(default_factory=list)

    def __iter__(self) -> Iterator[dict[str, SampleValue]]:
        yield from self.seen
        for solution in self.source:
            self.seen.append(solution)
            yield solution


def _combined(groups: Sequence[_Replayed]) -> Iterator[dict[str, SampleValue]]:
    """Yield the combinations of one solution of each group, the last group varying fastest; no group may be empty."""
    walks = [iter(group) for group in groups]
    chosen = [next(walk) for walk in walks]
    place = 0
    while place >= 0:
        yield {name: value for solution in chosen for name, value in solution.items()}
        place = len(groups) - 1
        while place >= 0:
            following = next(walks[place], None)
            if following is not None:
                chosen[place] = following
                break
            walks[place] = iter(groups[place])
            chosen[place] = next(walks[place])
            place -= 1


def _groups(names: Iterable[str], conditions: Sequence[Expression]) -> list[list[str]]:
    """Split names into groups that no condition connects."""
    group_of = {name: [name] for name in names}
    for condition in conditions:
        read = names_in(condition)
        joined = [name for name in group_of if name in read]
        for other in joined[1:]:
            first, second = group_of[joined[0]], group_of[other]
            if first is not second:
                first += second
                group_of.update(dict.fromkeys(second, first))
    return list({id(group): group for group in group_of.values()}.values())


def _solve(
    candidates: Mapping[str, Sequence[SampleValue]],
    conditions: Sequence[Expression],
    fixed: Assignment,
    most_nodes: int,
) -> Iterator[dict[str, SampleValue]]:
    """Yield the solutions by backtracking; each condition is evaluated as soon as its last name has a value."""
    order = list(candidates)
    due: dict[str, list[Expression]] = {name: [] for name in order}
    for condition in conditions:
        due[max(names_in(condition) & candidates.keys(), key=order.index)].append(condition)
    values = dict(fixed)
    budget = iter(range(most_nodes))

    def extend(place: int) -> Iterator[dict[str, SampleValue]]:
        if place == len(order):
            yield {name: values[name] for name in order}
            return
        name = order[place]
        for value in candidates[name]:
            if next(budget, None) is None:
                return
            values[name] = value
            if all(_holds(condition, values) for condition in due[name]):
                yield from extend(place + 1)

    yield from extend(0)


def _holds(condition: Expression, values: Assignment) -> bool:
    """Whether a condition holds; one that reads a name which this call doesn't bind counts as satisfied."""
    try:
        return bool(evaluate_expression(condition, Environment(values, {})))
    except UnreadableError:
        return False
    except TypeError:  # comparison with `None`: the plan guards such a condition, and `evaluate` decides in the end
        return True
