"""Proves that a size is never negative: one computed from sizes of dims isn't, an integer argument may be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.sizes import Polynomial, polynomial
from opgen.records import dataclass
from opgen.schema.types import is_integer
from opgen.spec.expression import Comparison, Constant, Expression, Logical, Name
from opgen.spec.tensor_spec import DimSize, TensorSpec


@dataclass(frozen=True, slots=True)
class NeverNegative:
    """The known facts about the sizes of one op.

    Attributes:
        numbers: integer arguments that may be negative, as no check excludes it.
        lengths: products of factors that are the size of a dim in every call, and so not negative.
    """

    numbers: frozenset[str]
    lengths: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(context: ExpressionContext) -> NeverNegative:
        """Collect the facts from the contract and the checks of an op."""
        known = {name for check in context.spec.checks for name in _known(check.condition)}
        integers = {name for name, each in context.arguments.items() if is_integer(each.type)}
        return NeverNegative(frozenset(integers - known), tuple(_lengths(context)))

    def holds(self, size: Polynomial) -> bool:
        """Whether a size is proved to be 0 or more, since each of its terms is."""
        return all(count >= 0 and self._is_length(product) for product, count in size.items())

    def _is_length(self, product: tuple[str, ...]) -> bool:
        rests = (_without(product, length) for length in ((), *self.lengths))
        return any(rest is not None and all(map(self._is_size, rest)) for rest in rests)

    def _is_size(self, factor: str) -> bool:
        """Whether a factor, a name or a text as ``(n // 2)``, mentions no argument that may be negative."""
        return "-" not in factor and self.numbers.isdisjoint(re.findall(r"\w+", factor))


def _without(product: tuple[str, ...], length: tuple[str, ...]) -> Iterable[str] | None:
    """Return the factors of ``product`` without those of ``length``; ``None`` if it lacks one of them."""
    return None if Counter(length) - Counter(product) else (Counter(product) - Counter(length)).elements()


def _lengths(context: ExpressionContext) -> Iterator[tuple[str, ...]]:
    """Yield the products that are sizes of dims of tensors which aren't optional."""
    for name, entry in context.entries.items():
        argument = context.arguments.get(name)
        if (argument is not None and argument.is_optional) or not isinstance(entry.form, TensorSpec):
            continue
        for dim in entry.form.shapes[0] if len(entry.form.shapes) == 1 else ():
            terms = polynomial(dim.size) if isinstance(dim, DimSize) else {}
            if len(terms) == 1 and all(count > 0 for count in terms.values()):
                yield from terms


def _known(condition: Expression) -> Iterator[str]:
    """Yield the names that a condition requires to be 0 or more."""
    match condition:
        case Logical("and", operands):
            for operand in operands:
                yield from _known(operand)
        case Comparison(operators, operands):
            for operator, left, right in zip(operators, operands, operands[1:], strict=False):
                match operator, left, right:
                    case ((">" | ">=" | "=="), Name(name), Constant(int() as least)) if least >= 0:
                        yield name
                    case (("<" | "<=" | "=="), Constant(int() as least), Name(name)) if least >= 0:
                        yield name
