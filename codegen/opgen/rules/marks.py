"""Fixes that add the annotation of a written argument to a schema, or remove it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from string import ascii_lowercase

from opgen.diagnostics import Fix
from opgen.model.op import Op
from opgen.rules.rule import listed, schema_fix
from opgen.schema.aliases import alias_sets, is_written, kept_annotations
from opgen.schema.nodes import Argument, BaseType, ListType, OptionalType, Return, Type
from opgen.source import Span

Edit = tuple[Span, str]


def free_names(used: frozenset[str]) -> Iterator[str]:
    """Yield names of alias sets that a schema doesn't use yet."""
    names = chain(ascii_lowercase, (f"x{index}" for index in count()))
    return (name for name in names if name not in used)


def _marked(argument: Argument, letters: Iterator[str]) -> Edit | None:
    """Return the edit that marks an argument as written; ``None`` if it has another annotation already."""
    annotation = next(iter(kept_annotations(argument.type)), None)
    if annotation is None:
        end = _tensor(argument.type).span.end
        return Span(end, end), f"({next(letters)}!)"
    if annotation.is_write or annotation.after is not None:
        return None
    end = annotation.span.end - 1
    return Span(end, end), "!"


def mark_fix(op: Op, *names: str) -> Fix | None:
    """Return a fix that marks arguments as written, each in a set of its own; unsafe, as it changes the contract."""
    schema = op.schema
    values: tuple[Argument | Return, ...] = (*schema.arguments, *schema.returns)
    letters = free_names(frozenset[str]().union(*map(alias_sets, values)))
    edits = [_marked(one, letters) for one in schema.arguments if one.name in names]
    made = [edit for edit in edits if edit is not None]
    title = f"mark {listed(names)} as written"
    return schema_fix(op, title, *made, applicability="unsafe") if len(made) == len(edits) else None


def unmark_fix(op: Op, name: str) -> Fix | None:
    """Return a fix that unmarks an argument; ``None`` if it shares its alias set with another one."""
    argument = next(one for one in op.schema.arguments if one.name == name)
    values: tuple[Argument | Return, ...] = (*op.schema.arguments, *op.schema.returns)
    others = [one for one in values if one is not argument]
    if not is_written(argument) or any(alias_sets(one) & alias_sets(argument) for one in others):
        return None
    return without_marks(op, argument, f"take the mark of '{name}' away")


def without_marks(op: Op, value: Argument | Return, title: str) -> Fix | None:
    """Return a fix that removes all annotations from an argument or a return."""
    edits = [(annotation.span, "") for annotation in kept_annotations(value.type)]
    return schema_fix(op, title, *edits, applicability="unsafe")


def _tensor(type_: Type) -> Type:
    while isinstance(type_, OptionalType | ListType):
        type_ = type_.element
    assert isinstance(type_, BaseType)  # noqa: S101 - annotated types are tensors
    return type_
