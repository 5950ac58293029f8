"""Preferences for samples, so that a kernel which ignores an argument gives a wrong result.

With 1 group, or a limit that limits nothing, a call is valid and proves little.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice, pairwise

from opgen.model.sample_values import SampleValue
from opgen.model.samples.search import Assignment, assignments, names_in
from opgen.spec.expression import Binary, Comparison, ComparisonOperator, Constant, Expression, Name
from opgen.spec.walk import walk

_MOST_NODES = 2_000
"""The bound on the search for one wish, in partial assignments; a wish may remain unmet."""
_MOST_WISHES = 256
"""How many wishes are tried one by one, each beside all before it."""
_MOST_NODES_OF_ALL = 4 * _MOST_NODES
"""How far is searched for these together."""
_MOST_PAIRS = 64
"""How many pairs of the names in one condition are to differ."""

_STRICT: Mapping[ComparisonOperator, ComparisonOperator] = {"<=": "<", ">=": ">", "<": "<", ">": ">"}


def general_wishes(names: Collection[str], conditions: Sequence[Expression]) -> Iterator[Expression]:
    """Yield the wishes about sizes and integers, the most important first.

    All are above 1; a value bounded by another is strictly inside of the bound, a divisor is smaller than its multiple,
    and values in one condition differ.
    """
    yield from (Comparison((">",), (Name(name), Constant(1))) for name in names)
    for condition in conditions:
        yield from _inside(condition)
    place = {name: number for number, name in enumerate(names)}
    joined = (sorted(names_in(condition) & place.keys(), key=place.__getitem__) for condition in conditions)
    pairs = dict.fromkeys(pair for together in joined for pair in islice(combinations(together, 2), _MOST_PAIRS))
    yield from (Comparison(("!=",), (Name(one), Name(other))) for one, other in pairs)


def changes(values: Mapping[str, SampleValue]) -> Iterator[Expression]:
    """Yield the wishes that these names have other values."""
    for name, value in values.items():
        if isinstance(value, int):
            yield Comparison(("!=",), (Name(name), Constant(value)))


def _inside(condition: Expression) -> Iterator[Expression]:
    for node in walk(condition):
        match node:
            case Comparison(("==",), (Binary("%", whole, part), Constant(0))):
                if names_in(part):
                    yield Comparison((">",), (whole, part))
            case Comparison(operators, operands):
                for operator, (left, right) in zip(operators, pairwise(operands), strict=True):
                    if operator in _STRICT and names_in(left) and names_in(right):
                        yield Comparison((_STRICT[operator],), (left, right))


def granted(
    wishes: Sequence[Expression],
    candidates: Mapping[str, Sequence[SampleValue]],
    conditions: Sequence[Expression],
    fixed: Assignment,
) -> tuple[Expression, ...]:
    """Return the wishes that can be met together with the conditions; earlier ones take precedence over later ones."""
    read = {name for expression in (*wishes, *conditions) for name in names_in(expression)}
    return _granted(
        tuple(wishes),
        tuple((name, tuple(values)) for name, values in candidates.items() if name in read),
        tuple(conditions),
        tuple((name, value) for name, value in fixed.items() if name in read),
    )


@lru_cache(maxsize=64)  # most samples of an op differ only in dtypes and layouts
def _granted(
    wishes: tuple[Expression, ...],
    candidates: tuple[tuple[str, tuple[SampleValue, ...]], ...],
    conditions: tuple[Expression, ...],
    fixed: tuple[tuple[str, SampleValue], ...],
) -> tuple[Expression, ...]:
    def is_possible(wished: Iterable[Expression], nodes: Iterable[int] = range(_MOST_NODES)) -> bool:
        return next(assignments(dict(candidates), [*conditions, *wished], dict(fixed), nodes), None) is not None

    if is_possible(wishes):
        return wishes
    kept: list[Expression] = []
    left = iter(range(_MOST_NODES_OF_ALL))
    if is_possible(()):
        for wish in wishes[:_MOST_WISHES]:
            if is_possible((*kept, wish), islice(left, _MOST_NODES)):
                kept.append(wish)
    return tuple(kept)
