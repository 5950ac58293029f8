"""The schemas of derived forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_lowercase

from opgen.model.family.names import Form
from opgen.model.family.roles import Roles
from opgen.schema.aliases import alias_sets
from opgen.schema.nodes import Annotation, Argument, BaseType, FunctionSchema, OperatorName, Return

_PLAIN = BaseType("Tensor")


def derived_schema(roles: Roles, form: Form, name: OperatorName) -> FunctionSchema:
    """Return the schema of a form; ``refusals`` must have found nothing against it."""
    match form:
        case Form.FUNCTIONAL:
            return _schema(name, roles.inputs, _results(roles.destinations))
        case Form.OUT:
            sets = _free_sets(roles.inputs, len(roles.destinations))
            types = [_written(each) for each in sets]
            outs = [Argument(type_, out, kwarg_only=True) for type_, out in zip(types, roles.destinations, strict=True)]
            return _schema(name, (*roles.inputs, *outs), map(Return, types))
        case Form.INPLACE:
            first, *others = roles.inputs
            (own,) = _free_sets(others, 1)
            return _schema(name, (replace(first, type=_written(own)), *others), [Return(_written(own))])


def allocating_schema(roles: Roles, name: OperatorName) -> FunctionSchema:
    """Return the schema of the form that returns destinations and scratch, each under its name."""
    return _schema(name, roles.inputs, (Return(_PLAIN, each) for each in (*roles.destinations, *roles.scratch)))


def _schema(name: OperatorName, arguments: Iterable[Argument], returns: Iterable[Return]) -> FunctionSchema:
    return FunctionSchema(name, tuple(arguments), tuple(returns))


def _results(names: Sequence[str]) -> list[Return]:
    """Name results after the destinations, unless those have the default names of unnamed results (``out``)."""
    unnamed = ["out"] if len(names) == 1 else [f"out{place}" for place in range(len(names))]
    return [Return(_PLAIN, None if [*names] == unnamed else name) for name in names]


def _written(alias_set: str) -> BaseType:
    return BaseType("Tensor", Annotation((alias_set,), None, is_write=True))


def _free_sets(arguments: Iterable[Argument], count: int) -> list[str]:
    taken = frozenset[str]().union(*map(alias_sets, arguments))
    letters = [*ascii_lowercase, *(f"a{place}" for place in range(len(taken) + count))]
    return [letter for letter in letters if letter not in taken][:count]
