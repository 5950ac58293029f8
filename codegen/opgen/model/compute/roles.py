"""What follows from a program for the roles of arguments: destinations, and outputs that may be inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.model.compute.names import Surroundings
from opgen.model.compute.nodes import Dim, Index, Load, Operand, Program, SizeOf, Value
from opgen.model.compute.walk import every
from opgen.source import DerivedText
from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Name
from opgen.spec.library import OpSpec


def with_roles(around: Surroundings, spec: OpSpec) -> OpSpec:
    """Return a spec in which the written arguments that no expression reads are destinations."""
    read = {name for entry in (*spec.reduce, *spec.pointwise) for name in _tensors(entry.expression)}
    stated = {name.value for name in spec.overwrites}
    names = [name for name in around.written if name not in read | stated]
    return replace(spec, overwrites=(*spec.overwrites, *(DerivedText.at(name, around.place) for name in names)))


def _tensors(node: ke.Written) -> set[str]:
    if isinstance(node, Name):
        return {node.name}
    if isinstance(node, ke.Slice):
        return {node.tensor}
    return set[str]().union(*map(_tensors, ke.parts(node)))


def is_alias_safe(program: Program) -> bool:
    """Whether an output may be an input: each point is read before it is written, and read for no other point.

    A tensor that lacks dims of a result can't be that result, unless what it lacks is empty.
    """
    return not program.reduced and all(
        not operand.is_part and _is_within(operand.dims, store.dims)
        for operand in _operands(program)
        for store in program.stores
    )


def is_pointwise(program: Program) -> bool:
    """Whether ``torch.Tag.pointwise`` holds: the arguments are broadcast as PyTorch does, and nothing else is read.

    Who parts the tensors of a pointwise op must get parts of its results: places and sizes would be other ones.
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
    """Whether some dims are among others, in their order."""
    remaining = iter(others)
    return all(dim in remaining for dim in dims)
