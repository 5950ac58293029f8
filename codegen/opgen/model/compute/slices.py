"""Slices of the last dim: ``x[..., :d]`` of ``x: [..., 2*d]`` lies along d."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from opgen.model.compute import codes
from opgen.model.compute.names import Surroundings
from opgen.model.compute.nodes import Operand
from opgen.model.compute.sizes import (
    Polynomial,
    as_expression,
    is_never_negative,
    is_of_names,
    minus,
    plus,
    polynomial,
)
from opgen.model.compute.space import Shape, Space
from opgen.model.tensor_contract.scope import did_you_mean
from opgen.source import Span
from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Binary, Constant, Expression, Name, Negative
from opgen.spec.kernel_written import render
from opgen.spec.report import Report
from opgen.spec.tensor_spec import DimSize


class Refuse(Protocol):
    """Reports a mistake in the text that is being read."""

    def __call__(self, span: Span, message: str, remedy: str = "") -> object:
        """Report it."""


class Slices:
    """Resolves slices: bounds are sizes, and lie inside of the tensor."""

    def __init__(self, around: Surroundings, space: Space, report: Report) -> None:
        """Prepare for one op."""
        self._around = around
        self._space = space
        self._report = report

    def part(self, node: ke.Slice, shape: Shape, whole: Operand, refuse: Refuse) -> Operand | None:
        """Return a part of an operand; ``None`` after saying why there is none."""
        last = shape.dims[-1] if shape.dims else None
        if not isinstance(last, DimSize):
            refuse(
                node.span,
                f"'{node.tensor}' has no last dim with a size of its own",
                "name it in `tensors`, `[*batch, n]`",
            )
            return None
        size = polynomial(last.size)
        bounds: list[tuple[Polynomial, Expression]] = []
        for bound, default in ((node.start, Constant(0)), (node.stop, last.size)):
            expression = default if bound is None else self._size(bound, refuse)
            if expression is None:
                return None
            value = polynomial(expression)
            if bound is not None and set(value) == {()} and value[()] < 0:
                value, expression = plus(size, value), Binary("+", last.size, expression)
            bounds.append((value, expression))
        (start, first), (stop, end) = bounds
        length = minus(stop, start)
        if not all(map(is_never_negative, (start, length, minus(size, stop)))):
            message = f"the part `{render(node)}` isn't sure to lie inside of '{node.tensor}'"
            refuse(
                node.span, message, "state the size so that it does: `[*batch, 2*d]`, of which `:d` and `d:` are parts"
            )
            return None
        written = Binary("-", end, first)
        along = self._space.sized(length, written)
        begin = as_expression(start) if is_of_names(start) else first
        return replace(whole, dims=(*whole.dims[:-1], along), start=None if not start else begin)

    def _size(self, node: ke.Written, refuse: Refuse) -> Expression | None:
        match node:
            case Constant(int() as value) if not isinstance(value, bool):
                return Constant(value)
            case Name(name) if name in self._around.sizes:
                return node
            case Name(name, span):
                remedy = did_you_mean(name, self._around.sizes, "name a dim of `tensors`, or an int argument")
                self._refuse_name(refuse, span, name, remedy)
                return None
            case ke.Unary("-", operand):
                inner = self._size(operand, refuse)
                if isinstance(inner, Constant) and isinstance(inner.value, int):
                    return Constant(-inner.value)
                return None if inner is None else Negative(inner)
            case ke.Binary("+" | "-" | "*" | "//" | "%" as operator, left, right):
                one, other = self._size(left, refuse), self._size(right, refuse)
                return None if one is None or other is None else Binary(operator, one, other)
        refuse(
            node.span, "a bound of a slice is a size", "write it by the names of dims, numbers, `+`, `-`, `*` and `//`"
        )
        return None

    @staticmethod
    def _refuse_name(refuse: Refuse, span: Span, name: str, remedy: str) -> None:
        refuse(span, f"there is no size '{name}'", remedy)
