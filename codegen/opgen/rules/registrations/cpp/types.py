"""The C++ types that a kernel must have for the types of a schema.

Sources: ``assert_is_valid_input_type`` in ``aten/src/ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h``, the
inference in ``ATen/core/op_registration/infer_schema.h``, and ``torch/csrc/stable/stableivalue_conversions.h``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from opgen.readers.cpp.cpp_types import schema_type
from opgen.readers.cpp.syntax import regular
from opgen.readers.registrations import Abi
from opgen.schema.nodes import BaseType, ListType, OptionalType, Type

_TAKEN_FOR = {
    **dict.fromkeys(
        (
            "int", "short", "long long", "unsigned", "unsigned int", "unsigned long", "int16_t", "int32_t", "uint8_t",
            "uint16_t", "uint32_t", "uint64_t", "size_t", "std::size_t",
        ),
        "int",
    ),
    "float": "float",
    "at::Half": "float",
    "char*": "str",
}  # fmt: skip
"""C++ type that no kernel may take -> the schema type that its author probably means."""

_HOLDER = re.compile(r"(?:\w+::)*(?:optional|vector|ArrayRef|HeaderOnlyArrayRef|List|array)<(.+?)(?:,\s*\d+)?>")

_SYMBOLIC = re.compile(r"\bSym(?:Int|Float|Bool)")
_CONST = re.compile(r"\bconst\b")
_NAMESPACES = re.compile(r"\b(?:std|at|c10|torch|stable|headeronly)\s*::\s*|^::")
_SAME = {
    "IntArrayRef": "ArrayRef<int64_t>",
    "TensorList": "ArrayRef<Tensor>",
    "OptionalIntArrayRef": "OptionalArrayRef<int64_t>",
    "SymIntArrayRef": "ArrayRef<int64_t>",
    "OptionalSymIntArrayRef": "OptionalArrayRef<int64_t>",
    "SymInt": "int64_t",
    "long": "int64_t",
}

_VALUES = {
    "int": "int64_t",
    "SymInt": "int64_t",
    "float": "double",
    "bool": "bool",
    "complex": "c10::complex<double>",
    "SymBool": "c10::SymBool",
}
_OBJECTS = {"Tensor": "Tensor", "str": "std::string"}
_ENUMS = frozenset({"ScalarType", "Layout", "MemoryFormat", "Device", "Scalar", "Generator", "Storage", "Stream"})


def plain(type_: Type) -> str | None:
    """Return a schema type without annotations and list sizes, ``SymInt`` as ``int``; ``None`` for TorchBind."""
    match type_:
        case BaseType(name=name):
            return {"SymInt": "int", "SymBool": "bool"}.get(name, name)
        case OptionalType(element=element):
            inner, suffix = plain(element), "?"
        case ListType(element=element):
            inner, suffix = plain(element), "[]"
        case _:
            return None
    return None if inner is None else inner + suffix


def meant(written: str, aliases: Mapping[str, str]) -> str | None:
    """Return the schema type of a C++ type, spelt as ``plain`` does; ``None`` if the type is unknown."""
    found = schema_type(written, aliases)
    return None if found is None else found.replace("SymInt", "int").replace("SymBool", "bool")


def refused(written: str) -> str | None:
    """Return the schema type meant by a C++ type that no kernel may take: ``int`` for ``int32_t``; else ``None``."""
    bare = regular(_CONST.sub(" ", written)).rstrip("&").strip()
    if holder := _HOLDER.fullmatch(bare):
        return refused(holder[1])
    return _TAKEN_FOR.get(bare)


def is_symbolic_reference(written: str) -> bool:
    """Whether a type is a reference to a ``SymInt`` or to a list of them."""
    return written.endswith("&") and _SYMBOLIC.search(written) is not None and "vector" not in written


def is_changeable_reference(written: str) -> bool:
    """Whether a type is a non-const reference to something other than a tensor."""
    if not written.endswith("&") or written.endswith("&&") or _CONST.search(written):
        return False
    return meant(written, {}) not in {None, "Tensor"}


def is_writable_tensor(written: str) -> bool:
    """Whether a type is a non-const reference to a tensor, as of arguments that a kernel writes."""
    is_changeable = written.endswith("&") and not written.endswith("&&") and not _CONST.search(written)
    return is_changeable and meant(written, {}) == "Tensor"


def wanted(type_: Type, abi: Abi, *, is_result: bool = False) -> str:
    """Return the C++ type to use for a schema type."""
    value = _value(type_, abi)
    if is_result or value in _VALUES.values() or not value:
        return value
    return value if _bare_name(type_) in _ENUMS else f"const {value}&"


def same_type(written: str, aliases: Mapping[str, str]) -> str:
    """Normalise a C++ type, with ``SymInt`` as ``int64_t``, to compare kernels of an op as PyTorch does."""
    bare = regular(_NAMESPACES.sub("", written))
    if not bare.endswith(("&", "*")):
        bare = regular(_CONST.sub(" ", bare))

    def meaning(match: re.Match[str]) -> str:
        return _SAME.get(match[0]) or _NAMESPACES.sub("", aliases.get(match[0], match[0]))

    return regular(re.sub(r"\w+", meaning, bare))


def _bare_name(type_: Type) -> str:
    inner = type_.element if isinstance(type_, OptionalType) else type_
    return inner.name if isinstance(inner, BaseType) else ""


def _value(type_: Type, abi: Abi) -> str:
    match type_:
        case BaseType(name=name):
            if name == "Tensor":
                return "torch::stable::Tensor" if abi == "stable" else "at::Tensor"
            if name in _ENUMS:
                return f"torch::headeronly::{name}" if abi == "stable" else f"at::{name}"
            return _VALUES.get(name) or _OBJECTS.get(name, "")
        case OptionalType(element=element):
            inner = _value(element, abi)
            return inner and f"std::optional<{inner}>"
        case ListType(element=element):
            inner = _value(element, abi)
            return inner and f"std::vector<{inner}>"
    return ""
