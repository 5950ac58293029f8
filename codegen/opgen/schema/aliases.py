"""Which memory an argument or a result may share, and whether it is written, as PyTorch's parser stores it.

Sources: ``SchemaTypeParser::parseFakeAndRealType`` and ``parseAliasAnnotation`` in
``torch/csrc/jit/frontend/schema_type_parser.cpp``; ``AliasInfo`` in ``aten/src/ATen/core/alias_info.h``. What those do
and what the text seems to say differ in three places:

- an annotation inside a tuple, ``Dict``, ``Future``, ``Await``, ``RRef`` or ``Union`` is read and dropped;
- a list is written if its own annotation says so, and only without one if its elements are: ``Tensor(a!)[](b)`` is not;
- each bare ``!`` is a set of its own, which nothing else can be in, and which is empty after the call.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.schema.nodes import (
    Annotation,
    Argument,
    BaseType,
    ClassType,
    FunctionSchema,
    GenericType,
    ListType,
    OptionalType,
    Return,
    TupleType,
    Type,
)

WILDCARD = "*"
"""The set of unknown memory: ``Tensor(*)``, ``Tensor(a -> *)``."""


def kept_annotations(type_: Type) -> Iterator[Annotation]:
    """Yield the annotations of a type that count, from the outside in: a list's own one, then its elements'."""
    match type_:
        case BaseType(annotation=annotation) | GenericType(annotation=annotation):
            if annotation:
                yield annotation
        case OptionalType(element=element):
            yield from kept_annotations(element)
        case ListType(element=element, annotation=annotation):
            if annotation:
                yield annotation
            yield from kept_annotations(element)
        case ClassType() | TupleType():
            return


def dropped_annotations(type_: Type) -> Iterator[Annotation]:
    """Yield the annotations that PyTorch reads and forgets, because they stand inside a tuple or a generic type."""
    match type_:
        case OptionalType(element=element) | ListType(element=element):
            yield from dropped_annotations(element)
        case TupleType(elements=inner) | GenericType(parameters=inner):
            for part in inner:
                yield from kept_annotations(part)
                yield from dropped_annotations(part)
        case BaseType() | ClassType():
            return


def is_written(value: Argument | Return) -> bool:
    """Whether it is written (``Argument.is_write`` in Python)."""
    outermost = next(kept_annotations(value.type), None)
    return outermost is not None and outermost.is_write


def alias_sets(value: Argument | Return) -> frozenset[str]:
    """Return the names of all sets that it or its elements are in, before or after the call.

    ``"*"`` stands for unknown memory. A bare ``!`` adds no name, since nothing else can share its set.
    """
    return frozenset(
        name for annotation in kept_annotations(value.type) for name in (*annotation.before, *(annotation.after or ()))
    )


def before_sets(value: Argument | Return) -> frozenset[str]:
    """Return the names of the sets that it or its elements are in before the call."""
    return frozenset(name for annotation in kept_annotations(value.type) for name in annotation.before)


def aliased_arguments(schema: FunctionSchema, result: Return) -> tuple[Argument, ...]:
    """Return the arguments that share a named set with a result; unknown memory (``*``) is no evidence."""
    sets = alias_sets(result) - {WILDCARD}
    return tuple(argument for argument in schema.arguments if not sets.isdisjoint(alias_sets(argument)))
