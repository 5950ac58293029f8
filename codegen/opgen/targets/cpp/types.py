"""The C++ types of schema types on the stable ABI: what a kernel takes, and what it returns.

Source: the conversions in ``torch/csrc/stable/stableivalue_conversions.h`` and the page "LibTorch Stable ABI" of
PyTorch's C++ documentation. ``int`` is always ``int64_t`` and ``float`` always ``double``; a ``SymInt`` arrives as the
number that it has in this call.
"""

from __future__ import annotations

from opgen.schema.nodes import BaseType, ListType, OptionalType, Type

_SCALARS = {
    "int": "int64_t",
    "SymInt": "int64_t",
    "float": "double",
    "bool": "bool",
    "ScalarType": "ScalarType",
    "Layout": "Layout",
    "MemoryFormat": "MemoryFormat",
    "Device": "Device",
}
_OBJECTS = {
    "Tensor": "Tensor",
    "str": "std::string",
    "Generator": "Generator",  # from torch 2.13
    "None": "std::nullopt_t",
    "NoneType": "std::nullopt_t",
}


def value_type(type_: Type) -> str:
    """Return the type of a value: ``std::vector<int64_t>``, ``Tensor``.

    Raises:
        ValueError: the stable ABI has no such type: ``Scalar``, ``complex``, ``Storage``, ``Stream``, a tuple, ``Dict``,
            a class. The rule ``stable-abi-type`` has reported it.
    """
    match type_:
        case OptionalType(element):
            return f"std::optional<{value_type(element)}>"
        case ListType(element):
            return f"std::vector<{value_type(element)}>"
        case BaseType(name) if name in _SCALARS:
            return _SCALARS[name]
        case BaseType(name) if name in _OBJECTS:
            return _OBJECTS[name]
    raise ValueError(f"no type of the stable ABI stands for {type_}")


def parameter_type(type_: Type, *, written: bool = False) -> str:
    """Return the type of a kernel's parameter: ``Tensor&`` where the schema writes, ``const Tensor&``, ``double``."""
    inner = type_.element if isinstance(type_, OptionalType) else type_
    value = value_type(type_)
    if written:
        return f"{value}&"
    return value if isinstance(inner, BaseType) and inner.name in _SCALARS else f"const {value}&"


def result_type(returns: tuple[Type, ...]) -> str:
    """Return the type of a function with these results: ``void``, the one, or a ``std::tuple``.

    Raises:
        ValueError: as `value_type`, and for ``bool[]``, which ``from`` of the ABI would read through
            ``std::vector<bool>::data``.
    """
    values = [value_type(type_) for type_ in returns]
    if any("std::vector<bool>" in value for value in values):
        raise ValueError("the stable ABI can't return a list of booleans")
    if not values:
        return "void"
    return values[0] if len(values) == 1 else f"std::tuple<{', '.join(values)}>"
