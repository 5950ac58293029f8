"""Translates annotations to schema types: those that ``infer_schema`` accepts, and suggestions for an explicit schema.

Source: ``get_supported_param_types`` and ``SUPPORTED_RETURN_TYPES`` in ``torch/_library/infer_schema.py``.
"""

from __future__ import annotations

from opgen.readers.python.types import UNION
from opgen.readers.python.values import NONE, Generic, Symbol, Value

_BASES = {
    "torch.Tensor": "Tensor",
    "builtins.int": "SymInt",
    "builtins.float": "float",
    "builtins.bool": "bool",
    "builtins.str": "str",
    "torch.types.Number": "Scalar",
    "torch.dtype": "ScalarType",
    "torch.device": "Device",
    "torch.distributed.distributed_c10d.GroupName": "str",
}
_ALIASES = {
    "torch.types.Tensor": "torch.Tensor",
    "torch._tensor.Tensor": "torch.Tensor",
    "torch.types._dtype": "torch.dtype",
    "torch.types._device": "torch.device",
    "torch.types._int": "builtins.int",
    "torch.types._float": "builtins.float",
    "torch.types._bool": "builtins.bool",
}
_MORE = {
    "torch.SymInt": "SymInt",
    "builtins.complex": "complex",
    "torch.memory_format": "MemoryFormat",
    "torch.layout": "Layout",
    "torch.Generator": "Generator",
    "torch.Stream": "Stream",
    "torch.Size": "SymInt[]",
}
"""Annotations of types that can't be inferred but written in a schema."""

_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.bool"})
_LISTS = frozenset({"list", "List", "Sequence", "collections.abc.Sequence"})
_OF_LISTS = frozenset({"Tensor", "SymInt", "float", "bool", "Scalar"})
_OF_OPTIONAL_LISTS = frozenset({"SymInt", "float", "bool"})


def parameter_type(value: Value) -> str | None:
    """Return the type that is inferred for a parameter; ``None`` if PyTorch refuses it."""
    if isinstance(value, Generic) and value.origin == UNION:
        rest = tuple(member for member in value.arguments if member != NONE)
        is_optional = len(rest) < len(value.arguments)
        inner = _base(rest)
        if inner is None and len(rest) == 1:
            inner = parameter_type(rest[0])
            if inner is None or not (inner.endswith("[]") and inner[:-2] in _OF_OPTIONAL_LISTS):
                return None
        return inner + "?" * is_optional if inner else None
    if isinstance(value, Generic) and value.origin in _LISTS and len(value.arguments) == 1:
        element = parameter_type(value.arguments[0])
        return f"{element}[]" if element in _OF_LISTS or element == "Tensor?" else None
    return _base((value,))


def return_type(value: Value) -> str | None:
    """Return the type that is inferred for a result; ``None`` if PyTorch refuses it."""
    if value == NONE:
        return "()"
    if isinstance(value, Generic) and value.origin == "tuple":
        if not value.arguments:
            return "()"
        types = [_single_return(argument) for argument in value.arguments]
        joined = ", ".join(found for found in types if found)
        if len(types) != joined.count(",") + 1 or not joined:
            return None
        return f"(({joined}))" if len(types) == 1 else f"({joined})"
    return _single_return(value)


def suggested_type(value: Value) -> str:
    """Return the schema type that an annotation means; empty if there is none."""
    inferred = parameter_type(value)
    if inferred:
        return inferred
    if isinstance(value, Symbol):
        return _MORE.get(value.path, "")
    if not isinstance(value, Generic):
        return ""
    if value.origin == UNION:
        rest = tuple(member for member in value.arguments if member != NONE)
        inner = _base(rest) or (suggested_type(rest[0]) if len(rest) == 1 else _mixed(rest))
        return f"{inner}?" if inner and len(rest) < len(value.arguments) else inner
    elements = [argument for argument in value.arguments if not _is_ellipsis(argument)]
    kinds = {suggested_type(element) for element in elements}
    if len(kinds) != 1 or "" in kinds or not (value.origin in _LISTS or value.origin == "tuple"):
        return ""
    is_sized = value.origin == "tuple" and len(elements) == len(value.arguments)
    return f"{kinds.pop()}[{len(elements)}]" if is_sized else f"{kinds.pop()}[]"


def suggested_return(value: Value) -> str:
    """Return the schema's returns for a result annotation; empty if there are none."""
    if isinstance(value, Generic) and value.origin == "tuple" and not any(map(_is_ellipsis, value.arguments)):
        parts = [suggested_type(argument) for argument in value.arguments]
        return "" if "" in parts else f"({', '.join(parts)})"
    return "()" if value == NONE else suggested_type(value)


def _base(members: tuple[Value, ...]) -> str | None:
    paths = {_ALIASES.get(member.path, member.path) if isinstance(member, Symbol) else "" for member in members}
    if paths == _NUMBERS:
        return "Scalar"
    return _BASES.get(paths.pop()) if len(paths) == 1 else None


def _mixed(members: tuple[Value, ...]) -> str:
    paths = {member.path if isinstance(member, Symbol) else "" for member in members}
    return "Scalar" if paths <= _NUMBERS | {"builtins.complex"} else ""


def _single_return(value: Value) -> str | None:
    if isinstance(value, Generic) and value.origin in {"list", "List"} and len(value.arguments) == 1:
        return "Tensor[]" if _base(value.arguments) == "Tensor" else None
    members = value.arguments if isinstance(value, Generic) and value.origin == UNION else (value,)
    found = _base(members)
    return found if found in {"Tensor", "SymInt", "float", "bool", "Scalar"} else None


def _is_ellipsis(value: Value) -> bool:
    return isinstance(value, Symbol) and value.path == "builtins.Ellipsis"
