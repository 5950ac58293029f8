"""Traversals of the tree of a value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from opgen.model.compute.nodes import (
    Binary,
    Call,
    Cast,
    Compare,
    Given,
    Index,
    Load,
    Logical,
    Named,
    Select,
    Unary,
    Value,
)


def parts(value: Value) -> tuple[Value, ...]:
    """Return the operands of a value, left to right."""
    match value:
        case Unary(_, operand) | Cast(_, operand):
            return (operand,)
        case Binary(_, left, right) | Compare(_, left, right):
            return (left, right)
        case Logical(_, operands) | Call(_, operands):
            return operands
        case Select(condition, then, otherwise):
            return (condition, then, otherwise)
    return ()


def with_parts(value: Value, change: Callable[[Value], Value]) -> Value:
    """Return a value with each operand replaced by ``change(operand)``."""
    match value:
        case Unary(_, operand) | Cast(_, operand):
            return replace(value, operand=change(operand))
        case Binary(_, left, right) | Compare(_, left, right):
            return replace(value, left=change(left), right=change(right))
        case Logical(_, operands):
            return replace(value, operands=tuple(map(change, operands)))
        case Call(_, arguments):
            return replace(value, arguments=tuple(map(change, arguments)))
        case Select(condition, then, otherwise):
            return replace(value, condition=change(condition), then=change(then), otherwise=change(otherwise))
    return value


def every(value: Value) -> Iterator[Value]:
    """Yield a value and everything below it, in pre-order.

    An object that occurs several times is yielded once: gradients share subtrees, so that there are exponentially many
    paths through them.
    """
    waiting, seen = [value], set[int]()
    while waiting:
        following = waiting.pop()
        if id(following) not in seen:
            seen.add(id(following))
            yield following
            waiting += reversed(parts(following))


def axes_of(value: Value, named: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the axes along which a value may vary; ``named`` holds those of bindings and reductions."""
    found: set[str] = set()
    for each in every(value):
        match each:
            case Load(operand):
                found.update(dim.axis for dim in operand.dims if dim.axis is not None)
            case Index(axis):
                found.add(axis)
            case Named(name):
                found |= named.get(name, frozenset())
    return frozenset(found)


def given_when(condition: Value, *, holds: bool) -> frozenset[str]:
    """Return the optional arguments that are given whenever a condition holds, or with ``holds=False`` doesn't."""
    match condition:
        case Given(argument) if holds:
            return frozenset({argument})
        case Unary("not", operand):
            return given_when(operand, holds=not holds)
        case Logical(operator, operands) if (operator == "and") is holds:
            return frozenset[str]().union(*(given_when(each, holds=holds) for each in operands))
    return frozenset()


def is_number(value: Value, numbers: Collection[str]) -> bool:
    """Whether PyTorch code computes a value as a Python number: nothing in it is read from a tensor.

    Args:
        value: the value.
        numbers: the names of bindings that are such numbers.
    """
    return all(
        each.name in numbers if isinstance(each, Named) else not isinstance(each, Load | Index | Cast | Call)
        for each in every(value)
    )
