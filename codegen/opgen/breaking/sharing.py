"""Which memory the arguments and results of an op share, whatever the letters of its schema."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from opgen.schema.aliases import WILDCARD
from opgen.schema.nodes import (
    Annotation,
    Argument,
    BaseType,
    ClassType,
    GenericType,
    ListType,
    OptionalType,
    Return,
    TupleType,
    Type,
)

Sharing: TypeAlias = tuple[object, ...]
"""What two values have to agree in to be written, and to share memory, alike; its make-up is of no interest."""


def sharing(values: Iterable[Argument | Return]) -> list[Sharing]:
    """Return what each value shares, its sets numbered in the order in which these values name them.

    PyTorch compares the names of the sets (``AliasInfo`` in ``aten/src/ATen/core/alias_info.h``); another letter means
    nothing, so here it is no change.
    """
    numbers: dict[str, int] = {}
    return [_of(value.type, numbers) for value in values]


def _of(type_: Type, numbers: dict[str, int]) -> Sharing:
    match type_:
        case BaseType(annotation=annotation) | GenericType(annotation=annotation):
            return _annotation(annotation, numbers)
        case OptionalType(element=element):
            return _of(element, numbers)
        case ListType(element=element, annotation=annotation):
            own, inner = _annotation(annotation, numbers), _of(element, numbers)
            return (own, inner) if own or inner else ()
        case ClassType() | TupleType():
            return ()


def _annotation(annotation: Annotation | None, numbers: dict[str, int]) -> Sharing:
    if annotation is None:
        return ()
    # A bare `!` is a set that nothing else is in.
    before = annotation.before or (f"! {len(numbers)}",)
    after = before if annotation.after is None else annotation.after
    sets = (frozenset(_number(name, numbers) for name in names) for names in (before, after))
    return (annotation.is_write, *sets)


def _number(name: str, numbers: dict[str, int]) -> int:
    return -1 if name == WILDCARD else numbers.setdefault(name, len(numbers))
