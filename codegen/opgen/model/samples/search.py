"""A bounded, deterministic search for values that satisfy conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Generic, TypeVar

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
    nodes: Iterable[int] = range(_MOST_NODES),
) -> Iterator[dict[str, SampleValue]]:
    """Yield values for every variable that satisfy all conditions, first candidates first.

    Groups of names that no condition connects are searched separately, so that a contradiction in one group doesn't
    multiply the search by the values of the others.

    Args:
        candidates: the values to try for each variable, the best first.
        conditions: the conditions; those that read shapes are left to the caller.
        fixed: the values of other names.
        nodes: as many partial assignments are looked at for each group of names; for all together, if it is an iterator.
    """
    judged = [condition for condition in conditions if not reads_shapes(condition)]
    groups, others = _groups(candidates, judged)
    if not all(_holds(condition, fixed) for condition in others):
        return
    most_free = _MOST_FREE if len(judged) < len(conditions) else 1
    solutions: list[Replayed[dict[str, SampleValue]]] = []
    for names, tied in groups:
        choices = {name: candidates[name] if tied else candidates[name][:most_free] for name in names}
        solutions.append(Replayed(_solve(choices, tied, fixed, nodes)))
    if all(next(iter(group), None) is not None for group in solutions):
        yield from _combined(solutions)


_T = TypeVar("_T")


@dataclass
class Replayed(Generic[_T]):
    """A lazy iterator that remembers its items, so that it can be iterated several times."""

    source: Iterator[_T]
    seen: list[_T] = field(default_factory=list)

    def __iter__(self) -> Iterator[_T]:
        yield from self.seen
        for item in self.source:
            self.seen.append(item)
            yield item


def _combined(groups: Sequence[Replayed[dict[str, SampleValue]]]) -> Iterator[dict[str, SampleValue]]:
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


def _groups(
    names: Iterable[str], conditions: Sequence[Expression]
) -> tuple[list[tuple[list[str], list[Expression]]], list[Expression]]:
    """Split names into groups that no condition joins, each with its conditions; return those that read no name, too."""
    place = {name: number for number, name in enumerate(names)}
    group_of = {name: [name] for name in place}
    tied: list[tuple[str, Expression]] = []
    others: list[Expression] = []
    for condition in conditions:
        joined = sorted(names_in(condition) & place.keys(), key=place.__getitem__)
        if not joined:
            others.append(condition)
            continue
        tied.append((joined[0], condition))
        first = group_of[joined[0]]
        for other in joined[1:]:
            second = group_of[other]
            if first is not second:
                first = _joined(first, second, group_of)
    groups = {id(group): (group, list[Expression]()) for group in group_of.values()}
    for name, condition in tied:
        groups[id(group_of[name])][1].append(condition)
    return [*groups.values()], others


def _joined(first: list[str], second: list[str], group_of: dict[str, list[str]]) -> list[str]:
    """Append one group to another; the names of the shorter one change sides."""
    if len(first) >= len(second):
        first += second
        group_of.update(dict.fromkeys(second, first))
        return first
    group_of.update(dict.fromkeys(first, second))
    second[:0] = first
    return second


def _solve(
    candidates: Mapping[str, Sequence[SampleValue]],
    conditions: Sequence[Expression],
    fixed: Assignment,
    nodes: Iterable[int],
) -> Iterator[dict[str, SampleValue]]:
    """Yield what satisfies the conditions, each judged as soon as its last name has a value, the last one first.

    That is the one to be broken, where one is, and few values break it.
    """
    order = list(candidates)
    place = {name: number for number, name in enumerate(order)}
    due: list[list[Expression]] = [[] for _ in order]
    for condition in reversed(conditions):
        due[max(place[name] for name in names_in(condition) & place.keys())].append(condition)
    values = dict(fixed)
    budget = iter(nodes)
    open_values = [iter(candidates[order[0]])]
    while open_values:
        last = len(open_values) - 1
        for value in open_values[-1]:
            if next(budget, None) is None:
                return
            values[order[last]] = value
            if all(_holds(condition, values) for condition in due[last]):
                break
        else:
            open_values.pop()
            continue
        if last + 1 < len(order):
            open_values.append(iter(candidates[order[last + 1]]))
        else:
            yield {name: values[name] for name in order}


def _holds(condition: Expression, values: Assignment) -> bool:
    """Whether a condition holds; one that reads a name which this call doesn't bind counts as satisfied."""
    try:
        return bool(evaluate_expression(condition, Environment(values, {})))
    except UnreadableError:
        return False
    except TypeError:  # comparison with `None`: the plan guards such a condition, and `evaluate` decides in the end
        return True
