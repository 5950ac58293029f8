"""Constants for the sizes that ``tensors`` names and every call has, each read where the plan reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from opgen.model.op import Op
from opgen.model.tensors import BindPack, BindSize, SolveSize
from opgen.spec.expression import Constant, Expression, Item, Name
from opgen.spec.walk import walk
from opgen.targets.expressions.cpp import render_cpp
from opgen.targets.expressions.names import Names
from opgen.targets.names import cpp_name

_Bound: TypeAlias = BindSize | BindPack | SolveSize


def sizes(op: Op) -> Iterator[str]:
    """Yield the declarations of all of them, for a function that may use any."""
    names = Names.of(op, cpp_name)
    yield from (f"[[maybe_unused]] {_declaration(check, names)}" for check in _bound(op, names))


def sizes_in(op: Op, expressions: Iterable[Expression]) -> list[str]:
    """Return the declarations of those that some expressions mention, directly or not."""
    names = Names.of(op, cpp_name)
    mentioned = set(_mentioned(expressions))
    found: list[str] = []
    for check in reversed([*_bound(op, names)]):
        if check.name in mentioned:
            found.append(_declaration(check, names))
            if isinstance(check, SolveSize):
                mentioned.update(_mentioned(each for each in (check.offset, check.factor) if each is not None))
    return found[::-1]


def _bound(op: Op, names: Names) -> Iterator[_Bound]:
    outputs = {cpp_name(output.name) for output in op.outputs}
    for step in op.tensors.steps:
        is_always = not step.given and not step.each
        if is_always and isinstance(step.check, _Bound) and names.value(step.check.name) not in outputs:
            yield step.check


def _declaration(check: _Bound, names: Names) -> str:
    type_ = "auto" if isinstance(check, BindPack) else "int64_t"
    return f"const {type_} {names.value(check.name)} = {_value(check, names)};"


def _mentioned(expressions: Iterable[Expression]) -> Iterator[str]:
    for expression in expressions:
        yield from (each.name for each in walk(expression) if isinstance(each, Name | Item))


def _value(check: _Bound, names: Names) -> str:
    tensor = names.argument(check.tensor)
    match check:
        case BindPack(_, _, 0, 0):
            return f"{tensor}.sizes()"
        case BindPack(_, _, lead, trail):
            return f"{tensor}.sizes().slice({lead}, {tensor}.sizes().size() - {lead + trail})"
        case BindSize(_, _, dim):
            return f"{tensor}.size({dim})"
        case SolveSize(_, _, dim, offset, factor):
            size = f"{tensor}.size({dim})"
            if offset is not None:
                size = f"({size} - {_operand(offset, names)})"
            return size if factor == Constant(1) else f"{size} / {_operand(factor, names)}"


def _operand(expression: Expression, names: Names) -> str:
    text = render_cpp(expression, names)
    return text if isinstance(expression, Constant | Name) else f"({text})"
