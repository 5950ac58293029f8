"""Resolves slices of the last dim: ``x[..., :d]`` of ``x: [..., 2*d]`` lies along the axis ``d``."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Protocol

from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.never_negative import NeverNegative
from opgen.model.compute.nodes import Operand
from opgen.model.compute.sizes import Polynomial, as_expression, is_of_names, minus, plus, polynomial
from opgen.model.compute.space import Shape, Space
from opgen.model.tensor_contract.scope import did_you_mean
from opgen.source import Span
from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Binary, Constant, Expression, Name, Negative
from opgen.spec.kernel_written import render
from opgen.spec.tensor_spec import DimSize


class Refuse(Protocol):
    """Reports a mistake in the text of the expression."""

    def __call__(self, span: Span, message: str, remedy: str = "") -> None:
        """Report it."""


def slice_of(  # noqa: PLR0913, PLR0917 - what a slice depends on
    node: ke.Slice, shape: Shape, whole: Operand, context: ExpressionContext, space: Space, refuse: Refuse
) -> Operand | None:
    """Return a slice of an operand; ``None`` after reporting why there is none.

    Args:
        node: the parsed slice.
        shape: the dims of the whole tensor.
        whole: the whole tensor as an operand.
        context: the op, whose sizes the bounds may mention.
        space: the iteration space, which gets the axis of the slice.
        refuse: reports a mistake.
    """
    last = shape.dims[-1] if shape.dims else None
    if not isinstance(last, DimSize):
        remedy = "name it in `tensors`, `[*batch, n]`"
        refuse(node.span, f"'{node.tensor}' has no last dim with a size of its own", remedy)
        return None
    size = polynomial(last.size)
    bounds: list[tuple[Polynomial, Expression]] = []
    for bound, default in ((node.start, Constant(0)), (node.stop, last.size)):
        expression = default if bound is None else _size(bound, context.sizes, refuse)
        if expression is None:
            return None
        value = polynomial(expression)
        if value and all(count < 0 for count in value.values()):  # `-d` counts from the end
            value, expression = plus(size, value), Binary("+", last.size, expression)
        bounds.append((value, expression))
    (start, first), (stop, end) = bounds
    length = minus(stop, start)
    known, pieces = NeverNegative.of(context), (start, length, minus(size, stop))
    if not all(map(known.holds, pieces)):
        numbers = sorted(known.numbers & {name for piece in pieces for product in piece for name in product})
        remedy = "state the size so that it does: `[*batch, 2*d]`, of which `:d` and `d:` are parts"
        if numbers:
            remedy += f"; that '{numbers[0]}' is not negative say `checks: [\"{numbers[0]} >= 0\"]`"
        refuse(node.span, f"the part `{render(node)}` isn't sure to lie inside of '{node.tensor}'", remedy)
        return None
    along = space.sized(length, Binary("-", end, first))
    begin = as_expression(start) if is_of_names(start) else first
    return replace(whole, dims=(*whole.dims[:-1], along), start=begin if start else None, is_part=True)


def _size(node: ke.Written, sizes: Collection[str], refuse: Refuse) -> Expression | None:  # noqa: PLR0911 - one case a node
    match node:
        case Constant(int() as value) if not isinstance(value, bool):
            return Constant(value)
        case Name(name, span):
            if name in sizes:
                return node
            refuse(
                span,
                f"there is no size '{name}'",
                did_you_mean(name, sizes, "name a dim of `tensors`, or an int argument"),
            )
            return None
        case ke.Unary("-", operand):
            inner = _size(operand, sizes, refuse)
            if isinstance(inner, Constant) and isinstance(inner.value, int):
                return Constant(-inner.value)
            return inner and Negative(inner)
        case ke.Binary("+" | "-" | "*" | "//" | "%" as operator, left, right):
            one, other = _size(left, sizes, refuse), _size(right, sizes, refuse)
            return one and other and Binary(operator, one, other)
    refuse(node.span, "a bound of a slice is a size", "write it by the names of dims, numbers, `+`, `-`, `*` and `//`")
    return None
