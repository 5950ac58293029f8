"""The values of defaults, as PyTorch stores and compares them."""

from __future__ import annotations

from typing import TypeAlias

from opgen.schema.nodes import Argument, ListDefault, ListType

Scalar: TypeAlias = tuple[type, object]
"""A value and its type: ``1``, ``1.0`` and ``True`` are different to PyTorch."""


def stored_default(argument: Argument) -> Scalar | tuple[Scalar, ...] | None:
    """Return what two defaults have to agree in to be equal; ``None`` without a default.

    One constant of a sized list stands for all of its elements. Source: ``parseDefaultValue`` in
    ``torch/csrc/jit/frontend/function_schema_parser.cpp``, ``IValue::equals`` in ``aten/src/ATen/core/ivalue.cpp``.
    """
    default, type_ = argument.default, argument.type
    if default is None:
        return None
    if isinstance(default, ListDefault):
        return tuple((type(item.value), item.value) for item in default.items)
    value = (type(default.value), default.value)
    if isinstance(type_, ListType) and type_.size is not None:
        return (value,) * type_.size
    return value


def is_container(argument: Argument) -> bool:
    """Whether the default is a list."""
    return isinstance(argument.type, ListType) and argument.default is not None
