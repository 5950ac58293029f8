"""Derives roles from a program: destinations (``overwrites``), ``alias_safe`` and the tag ``pointwise``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.nodes import Dim, Index, Load, Operand, Program, SizeOf, Value
from opgen.model.compute.walk import every
from opgen.source import DerivedText
from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Name
from opgen.spec.library import OpSpec


def with_roles(context: ExpressionContext, spec: OpSpec) -> OpSpec:
    """Return a spec whose ``overwrites`` lists the written arguments that no expression reads."""
    read = {name for entry in (*spec.reduce, *spec.pointwise) for name in _tensors(entry.expression)}
    stated = {name.value for name in spec.overwrites}
    names = [name for name in context.written if name not in read | stated]
    return replace(spec, overwrites=(*spec.overwrites, *(DerivedText.at(name, context.place) for name in names)))


def _tensors(node: ke.Written) -> set[str]:
    if isinstance(node, Name):
        return {node.name}
    if isinstance(node, ke.Slice):
        return {node.tensor}
    return set[str]().union(*map(_tensors, ke.parts(node)))


def is_alias_safe(program: Program) -> bool:
    """Whether an output may be the same tensor as an input: each element is only read for the point that writes it.

    An input with fewer dims than a result, which is broadcast, can't be the same tensor unless those dims have size 1
    or 0.
    """
    return not program.reduced and all(
        not operand.is_part and _is_within(operand.dims, store.dims)
        for operand in _operands(program)
        for store in program.stores
    )


def is_pointwise(program: Program) -> bool:
    """Whether ``torch.Tag.pointwise`` holds: arguments are broadcast as in PyTorch, no index and no size is used.

    Slices of the arguments of a pointwise op must give slices of its results; indices and sizes would change by
    slicing.
    """
    if any(isinstance(each, Index | SizeOf) for each in _nodes(program)):
        return False
    return is_alias_safe(program) and all(
        operand.dims == store.dims[len(store.dims) - len(operand.dims) :]
        for operand in _operands(program)
        for store in program.stores
    )


def _nodes(program: Program) -> Iterator[Value]:
    values = (
        *(binding.value for binding in program.bindings),
        *(reduction.value for reduction in program.reductions),
        *(store.value for store in program.stores),
    )
    for value in values:
        yield from every(value)


def _operands(program: Program) -> list[Operand]:
    return [each.operand for each in _nodes(program) if isinstance(each, Load)]


def _is_within(dims: tuple[Dim, ...], others: tuple[Dim, ...]) -> bool:
    """Whether ``dims`` is a subsequence of ``others``."""
    remaining = iter(others)
    return all(dim in remaining for dim in dims)
