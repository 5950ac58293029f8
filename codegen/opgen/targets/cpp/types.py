"""The C++ types of schema types, as a kernel's parameters and results.

On the stable ABI they are those of ``torch/csrc/stable/stableivalue_conversions.h``. The classic ABI has the same C++
types for these schema types, so that a kernel builds on either, and further ones, those of ``c10::IValue::to``
(``ATen/core/ivalue_inl.h``).
``int`` is always ``int64_t`` and ``float`` always ``double``; a ``SymInt`` arrives as the number that it has in this
call.
"""

from __future__ import annotations

from opgen.schema.nodes import BaseType, GenericType, ListType, OptionalType, TupleType, Type
from opgen.spec.library import Abi

_VALUES = {
    "int": "int64_t",
    "SymInt": "int64_t",
    "float": "double",
    "bool": "bool",
    "ScalarType": "ScalarType",
    "Layout": "Layout",
    "MemoryFormat": "MemoryFormat",
    "Device": "Device",
}
"""Schema types whose C++ types are passed by value."""

_OBJECTS = {
    "Tensor": "Tensor",
    "str": "std::string",
    "Generator": "Generator",  # on the stable ABI from torch 2.13
}
"""Schema types whose C++ types are passed by reference."""

_CLASSIC_VALUES = {
    **_VALUES,
    "SymBool": "bool",
    "complex": "complex<double>",
    "Stream": "Stream",
}
_CLASSIC_OBJECTS = {
    **_OBJECTS,
    "Scalar": "Scalar",
    "Storage": "Storage",
}
_DICT_KEYS = frozenset({"int", "float", "complex", "bool", "str", "Tensor"})
"""The types that may be keys of a ``Dict``. Source: ``valid_dict_key_types`` in ``ATen/core/Dict.h``."""


def value_type(type_: Type, abi: Abi) -> str:
    """Return the type of a value: ``std::vector<int64_t>``, ``Tensor``.

    Raises:
        ValueError: the ABI has no such type. The rules ``stable-abi-type`` and ``classic-abi-type`` have reported it.
    """
    is_classic = abi == "classic"
    names = _CLASSIC_VALUES | _CLASSIC_OBJECTS if is_classic else _VALUES | _OBJECTS
    match type_:
        case OptionalType(element):
            return f"std::optional<{value_type(element, abi)}>"
        case ListType(element):
            return f"std::vector<{value_type(element, abi)}>"
        case TupleType(elements) if is_classic:
            return f"std::tuple<{', '.join(value_type(element, abi) for element in elements)}>"
        case GenericType("Dict", (BaseType(key), value)) if is_classic and key in _DICT_KEYS:
            return f"Dict<{names[key]}, {value_type(value, abi)}>"
        case BaseType(name) if name in names:
            return names[name]
    raise ValueError(f"no type of the {abi} ABI stands for {type_}")


def parameter_type(type_: Type, abi: Abi, *, written: bool = False) -> str:
    """Return the type of a kernel's parameter: ``Tensor&`` where the schema writes, ``const Tensor&``, ``double``."""
    inner = type_.element if isinstance(type_, OptionalType) else type_
    value = value_type(type_, abi)
    if written:
        return f"{value}&"
    return value if isinstance(inner, BaseType) and inner.name in _CLASSIC_VALUES else f"const {value}&"


def result_type(returns: tuple[Type, ...], abi: Abi) -> str:
    """Return the C++ return type for some results: ``void``, the type of the only one, or a ``std::tuple``.

    A single result that is a tuple is wrapped in another one, since the dispatcher counts it as one value.

    Raises:
        ValueError: as `value_type`, and for ``bool[]`` on the stable ABI, whose ``from`` would read it through
            ``std::vector<bool>::data``.
    """
    values = [value_type(type_, abi) for type_ in returns]
    if abi == "stable" and any("std::vector<bool>" in value for value in values):
        raise ValueError("the stable ABI can't return a list of booleans")
    if not values:
        return "void"
    if len(values) == 1 and not isinstance(returns[0], TupleType):
        return values[0]
    return f"std::tuple<{', '.join(values)}>"
