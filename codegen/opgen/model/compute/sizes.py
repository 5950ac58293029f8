"""Sizes as polynomials, to see that ``2*d - d`` equals ``d``, and to prove that a slice is inside of its tensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from opgen.spec.expression import Binary, Constant, Expression, Name, Negative
from opgen.spec.written import render_written

Polynomial: TypeAlias = Mapping[tuple[str, ...], int]
"""A sum of terms: sorted factors -> coefficient. The empty tuple is the constant term.

A factor is the name of a size, or the text of an expression that is no sum or product, as ``(n // 2)``.
"""


def polynomial(expression: Expression) -> Polynomial:  # noqa: PLR0911 - one case a node
    """Return a size as a polynomial, without terms whose coefficient is 0."""
    match expression:
        case Constant(int() as value):
            return {(): value} if value else {}
        case Name(name):
            return {(name,): 1}
        case Negative(operand):
            return scaled(polynomial(operand), -1)
        case Binary("+", left, right):
            return plus(polynomial(left), polynomial(right))
        case Binary("-", left, right):
            return minus(polynomial(left), polynomial(right))
        case Binary("*", left, right):
            return _times(polynomial(left), polynomial(right))
    return {(f"({render_written(expression)})",): 1}


def scaled(size: Polynomial, factor: int) -> Polynomial:
    """Return a size multiplied by a number."""
    return {product: factor * count for product, count in size.items()}


def plus(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the sum of two sizes."""
    counts = Counter(left)
    for product, count in right.items():
        counts[product] += count
    return {product: count for product, count in counts.items() if count}


def minus(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the difference of two sizes."""
    return plus(left, scaled(right, -1))


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    counts = Counter[tuple[str, ...]]()
    for one, count in left.items():
        for other, times in right.items():
            counts[tuple(sorted(one + other))] += count * times
    return {product: count for product, count in counts.items() if count}


def as_expression(size: Polynomial) -> Expression:
    """Return a polynomial as an expression; all its factors must be names (``is_of_names``)."""
    result: Expression | None = None
    for product, count in sorted(size.items(), key=lambda term: (-len(term[0]), term[0])):
        factors: list[Expression] = [Name(name) for name in product]
        if abs(count) != 1 or not factors:
            factors.insert(0, Constant(abs(count)))
        term = factors[0]
        for factor in factors[1:]:
            term = Binary("*", term, factor)
        if result is None:
            result = term if count > 0 else Negative(term)
        else:
            result = Binary("+" if count > 0 else "-", result, term)
    return Constant(0) if result is None else result


def is_of_names(size: Polynomial) -> bool:
    """Whether all factors are names of sizes."""
    return all(not name.startswith("(") for product in size for name in product)


def key_of(size: Polynomial) -> frozenset[tuple[tuple[str, ...], int]]:
    """Return a hashable key that is equal for equal sizes."""
    return frozenset(size.items())
