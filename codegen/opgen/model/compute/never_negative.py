"""Which sizes are 0 or more in every call: what is made of sizes of dims is, a number of the caller's need not be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from opgen.model.compute.names import Surroundings
from opgen.model.compute.sizes import Polynomial, polynomial
from opgen.records import dataclass
from opgen.schema.types import is_integer
from opgen.spec.expression import Comparison, Constant, Expression, Logical, Name
from opgen.spec.tensor_spec import DimSize, TensorSpec


@dataclass(frozen=True, slots=True)
class NeverNegative:
    """What is known of the sizes of one op.

    Attributes:
        numbers: arguments that are integers, of which nothing says that they aren't negative.
        lengths: products of sizes that are the size of a dim in every call.
    """

    numbers: frozenset[str]
    lengths: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(around: Surroundings) -> NeverNegative:
        """Read what the contract and the checks of an op say."""
        known = {name for check in around.spec.checks for name in _known(check.condition)}
        integers = {name for name, each in around.arguments.items() if is_integer(each.type)}
        return NeverNegative(frozenset(integers - known), tuple(_lengths(around)))

    def holds(self, size: Polynomial) -> bool:
        """Whether a size is shown to be 0 or more, since all that it is made of is."""
        return all(count >= 0 and self._is_length(product) for product, count in size.items())

    def _is_length(self, product: tuple[str, ...]) -> bool:
        rests = (_without(product, length) for length in ((), *self.lengths))
        return any(rest is not None and all(map(self._is_size, rest)) for rest in rests)

    def _is_size(self, factor: str) -> bool:
        """Whether a name, or what is no sum or product, as ``(n // 2)``, is made of sizes alone."""
        return "-" not in factor and self.numbers.isdisjoint(re.findall(r"\w+", factor))


def _without(product: tuple[str, ...], length: tuple[str, ...]) -> Iterable[str] | None:
    """Return the factors that are left of a product; ``None`` where it has not all of the others."""
    return None if Counter(length) - Counter(product) else (Counter(product) - Counter(length)).elements()


def _lengths(around: Surroundings) -> Iterator[tuple[str, ...]]:
    """Yield the products that are dims of tensors which every call has."""
    for name, entry in around.entries.items():
        argument = around.arguments.get(name)
        if (argument is not None and argument.is_optional) or not isinstance(entry.form, TensorSpec):
            continue
        for dim in entry.form.shapes[0] if len(entry.form.shapes) == 1 else ():
            terms = polynomial(dim.size) if isinstance(dim, DimSize) else {}
            if len(terms) == 1 and all(count > 0 for count in terms.values()):
                yield from terms


def _known(condition: Expression) -> Iterator[str]:
    """Yield the names that a condition says to be 0 or more."""
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
