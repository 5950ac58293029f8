"""Predicates on schema types that all stages share."""

from __future__ import annotations

from opgen.schema.nodes import BaseType, ListType, OptionalType, Return, Type


def without_optional(type_: Type) -> Type:
    """Return ``T`` for ``T?``, else the type itself."""
    return type_.element if isinstance(type_, OptionalType) else type_


def is_plain_tensor(type_: Type) -> bool:
    """Whether it is ``Tensor``: neither optional nor a list."""
    return isinstance(type_, BaseType) and type_.name == "Tensor"


def is_tensor(type_: Type) -> bool:
    """Whether it is ``Tensor`` or ``Tensor?``."""
    return is_plain_tensor(without_optional(type_))


def is_tensor_list(type_: Type) -> bool:
    """Whether it is ``Tensor[]``, ``Tensor?[]``, or one of these made optional."""
    inner = without_optional(type_)
    return isinstance(inner, ListType) and is_tensor(inner.element)


def is_integer(type_: Type) -> bool:
    """Whether it is ``int`` or ``SymInt``, perhaps optional, and so may be a size."""
    inner = without_optional(type_)
    return isinstance(inner, BaseType) and inner.name in {"int", "SymInt"}


def returns_none(result: Return) -> bool:
    """Whether a return is of type ``None``."""
    return isinstance(result.type, BaseType) and result.type.name in {"None", "NoneType"}
