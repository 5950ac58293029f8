"""What a change of an argument's type means to those who pass values, and to graphs that hold it."""

from __future__ import annotations

from opgen.schema.kinds import INT_LIKE, is_subtype, kind_of
from opgen.schema.nodes import BaseType, ListType, OptionalType, Type
from opgen.schema.types import without_optional

_ENUMS = frozenset({"ScalarType", "Layout", "MemoryFormat"})
_TAKES = {
    "bool": frozenset({"int", "SymInt", "float", "complex", "Scalar"}),
    "int": frozenset({"SymInt", "float", "complex", "Scalar", "ScalarType", "Layout", "MemoryFormat"}),
    "SymInt": frozenset({"int", "float", "complex", "Scalar"}),
    "float": frozenset({"complex", "Scalar"}),
    "complex": frozenset({"Scalar"}),
    "ScalarType": frozenset({"int", "Scalar"}),
    "Layout": frozenset({"int", "Scalar"}),
    "MemoryFormat": frozenset({"int"}),
}
"""Type -> other types whose arguments take all of its values when they are passed from Python.

Source: ``toIValue`` in ``torch/csrc/jit/python/pybind_utils.cpp``, which converts numbers as Python does, and takes the
numbers of dtypes, layouts and memory formats; tried for every pair.
"""


def python_takes(old: Type, new: Type) -> bool:  # noqa: PLR0911 - one for each pair of nodes
    """Whether every value that could be passed for the old type can be passed for the new one."""
    match old, new:
        case _, BaseType(name="Any"):
            return True
        case OptionalType(element=inner), OptionalType(element=other):
            return python_takes(inner, other)
        case OptionalType(), _:
            return False
        case _, OptionalType(element=other):
            return python_takes(old, other)
        case ListType(element=inner, size=size), ListType(element=other, size=other_size):
            return python_takes(inner, other) and (other_size is not None or size is None)
        case BaseType(name=name), ListType(element=other, size=int()):
            return name not in _ENUMS and python_takes(old, other)
        case BaseType(name=name), BaseType(name=other_name):
            if name == other_name or other_name in _TAKES.get(name, ()):
                return True
            # Enumerations are stored as integers, but converted from objects of their own.
            return name not in _ENUMS and not {name, other_name} <= INT_LIKE and is_subtype(kind_of(old), kind_of(new))
    return is_subtype(kind_of(old), kind_of(new))


def list_size(type_: Type) -> int | None:
    """Return ``N`` of ``T[N]`` or ``T[N]?``, which PyTorch keeps beside the type."""
    inner = without_optional(type_)
    return inner.size if isinstance(inner, ListType) else None


def graph_takes(old: Type, new: Type) -> bool:
    """Whether a graph that was saved with the old type can be loaded with the new one.

    Source: ``Argument::isBackwardCompatibleWith`` in ``aten/src/ATen/core/function_schema.cpp``: the old type must be a
    subtype of the new one, and the sizes of lists equal. ``int``, ``SymInt`` and ``ScalarType`` are one type to it.
    """
    return list_size(old) == list_size(new) and is_subtype(kind_of(old), kind_of(new))
