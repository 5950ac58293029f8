"""The alias sets of arguments and results, and whether an argument is written, as PyTorch's parser stores them.

Sources: ``SchemaTypeParser::parseFakeAndRealType`` and ``parseAliasAnnotation`` in
``torch/csrc/jit/frontend/schema_type_parser.cpp``; ``AliasInfo`` in ``aten/src/ATen/core/alias_info.h``. The stored
annotation differs from the written one in three cases:

- an annotation inside a tuple, ``Dict``, ``Future``, ``Await``, ``RRef`` or ``Union`` is read and dropped;
- a list is written if its own annotation says so; its element's annotation only counts without one, so that
  ``Tensor(a!)[](b)`` is not written;
- each bare ``!`` (``Tensor!``) is a set of its own, which nothing else can be in, and which is empty after the call.
"""

from __future__ import annotations

from opgen.schema.nodes import (
    Annotation,
    Argument,
    BaseType,
    ClassType,
    FunctionSchema,
    ListType,
    OptionalType,
    Return,
    TupleType,
    Type,
)

WILDCARD = "*"
"""The alias set of unknown memory: ``Tensor(*)``, ``Tensor(a -> *)``."""
_NONE: frozenset[str] = frozenset()


def kept_annotations(type_: Type) -> tuple[Annotation, ...]:
    """Return the annotations of a type that PyTorch keeps, from the outside in: the list's, then the element's."""
    if isinstance(type_, BaseType):  # nearly all
        return () if type_.annotation is None else (type_.annotation,)
    if isinstance(type_, OptionalType):
        return kept_annotations(type_.element)
    if isinstance(type_, ClassType | TupleType):
        return ()
    own = () if type_.annotation is None else (type_.annotation,)
    return own + kept_annotations(type_.element) if isinstance(type_, ListType) else own


def dropped_annotations(type_: Type) -> tuple[Annotation, ...]:
    """Return the annotations that PyTorch reads and drops, as they are inside of a tuple or a generic type."""
    if isinstance(type_, OptionalType | ListType):
        return dropped_annotations(type_.element)
    if isinstance(type_, BaseType | ClassType):
        return ()
    parts = type_.elements if isinstance(type_, TupleType) else type_.parameters
    return tuple(annotation for part in parts for annotation in (*kept_annotations(part), *dropped_annotations(part)))


def is_written(value: Argument | Return) -> bool:
    """Whether an argument or return is written (``Argument.is_write`` of PyTorch's Python API)."""
    type_ = value.type
    if isinstance(type_, BaseType):  # nearly all
        return type_.annotation is not None and type_.annotation.is_write
    annotations = kept_annotations(type_)
    return bool(annotations) and annotations[0].is_write


def alias_sets(value: Argument | Return) -> frozenset[str]:
    """Return the names of all alias sets of a value or its elements, before or after the call.

    ``"*"`` stands for unknown memory. A bare ``!`` adds no name, since nothing else can share its set.
    """
    annotations = kept_annotations(value.type)
    return (
        frozenset(name for each in annotations for name in (*each.before, *(each.after or ())))
        if annotations
        else _NONE
    )


def before_sets(value: Argument | Return) -> frozenset[str]:
    """Return the names of the alias sets of a value or its elements before the call."""
    annotations = kept_annotations(value.type)
    return frozenset(name for each in annotations for name in each.before) if annotations else _NONE


def aliased_arguments(schema: FunctionSchema, result: Return) -> tuple[Argument, ...]:
    """Return the arguments that share a named alias set with a result; unknown memory (``*``) doesn't count."""
    sets = alias_sets(result) - {WILDCARD}
    return tuple(argument for argument in schema.arguments if not sets.isdisjoint(alias_sets(argument)))
