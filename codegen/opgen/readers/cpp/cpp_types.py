"""Infers the schema of a C++ function from its type, as PyTorch does for ``m.def("name", &f)``.

Source: ``getTypePtr_`` in ATen/core/jit_type.h, which makes a Generator optional, and op_registration/infer_schema.cpp.
Arguments and returns are named ``_0``, ``_1`` ..., and no argument is marked as written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from opgen.readers.cpp.syntax import last_name, regular

_SIMPLE = {
    "Tensor": "Tensor",
    "int64_t": "int",
    "int8_t": "int",
    "DeviceIndex": "int",
    "SymInt": "SymInt",
    "SymBool": "SymBool",
    "double": "float",
    "SymFloat": "SymFloat",
    "bool": "bool",
    "string": "str",
    "string_view": "str",
    "Scalar": "Scalar",
    "complex<double>": "complex",
    "ScalarType": "ScalarType",
    "Layout": "Layout",
    "MemoryFormat": "MemoryFormat",
    "Device": "Device",
    "Generator": "Generator?",
    "Stream": "Stream",
    "Storage": "Storage",
    "QScheme": "QScheme",
    "IValue": "Any",
    "IntArrayRef": "int[]",
    "SymIntArrayRef": "SymInt[]",
    "TensorList": "Tensor[]",
    "ITensorListRef": "Tensor[]",
    "OptionalIntArrayRef": "int[]?",
    "OptionalSymIntArrayRef": "SymInt[]?",
}
_LISTS = ("vector", "ArrayRef", "List", "array", "HeaderOnlyArrayRef", "IListRef")
_NAMESPACES = re.compile(r"\b(?:std|at|c10|torch|stable|headeronly|detail)\s*::\s*|^::")
_CV = re.compile(r"\b(?:const|volatile)\b")


def schema_type(written: str, aliases: Mapping[str, str] | None = None) -> str | None:
    """Return the schema type of a C++ type: ``int[]?`` of ``std::optional<at::IntArrayRef>``; ``None`` if unknown."""
    known = aliases or {}
    bare = regular(_CV.sub(" ", _NAMESPACES.sub("", written))).rstrip("&").strip()
    name = last_name(bare)
    if "<" not in bare and bare not in _SIMPLE and name in known:
        return schema_type(known[name], {other: meaning for other, meaning in known.items() if other != name})
    return _type(bare, known)


def inferred_schema(
    name: str, parameters: Sequence[str], result: str, aliases: Mapping[str, str] | None = None
) -> str | None:
    """Return the schema that PyTorch infers for a function, ``None`` if one of its types is unknown."""
    arguments = [schema_type(one, aliases) for one in parameters]
    returned = _arguments_of(result, "tuple")
    results = (
        [schema_type(one, aliases) for one in ([result] if returned is None else returned)] if result != "void" else []
    )
    if None in arguments or None in results:
        return None
    listed = ", ".join(f"{one} _{index}" for index, one in enumerate(arguments))
    given = ", ".join(f"{one} _{index}" for index, one in enumerate(results))
    return f"{name}({listed}) -> {given if len(results) == 1 else f'({given})'}"


def _type(bare: str, aliases: Mapping[str, str]) -> str | None:
    if bare in _SIMPLE:
        return _SIMPLE[bare]
    for template, suffix in (("optional", "?"), ("OptionalArrayRef", "[]?"), *((name, "[]") for name in _LISTS)):
        if inner := _arguments_of(bare, template):
            element = schema_type(inner[0], aliases)
            return element if element is None or (suffix == "?" and element.endswith("?")) else element + suffix
    if inner := _arguments_of(bare, "tuple"):
        elements = [schema_type(one, aliases) for one in inner]
        return None if None in elements else f"({', '.join(one for one in elements if one)})"
    if (inner := _arguments_of(bare, "Dict") or _arguments_of(bare, "unordered_map")) and len(inner) == 2:  # noqa: PLR2004 - key and value
        key, value = (schema_type(one, aliases) for one in inner)
        return f"Dict({key}, {value})" if key and value else None
    return None


def _arguments_of(written: str, template: str) -> list[str] | None:
    """Return the arguments of ``template<a, b<c>>``; ``None`` if the type is another one."""
    match = re.fullmatch(rf"(?:\w+::)*{template}\s*<(.*)>", written.strip(), re.DOTALL)
    if match is None:
        return None
    pieces, depth = [""], 0
    for character in match[1]:
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return [piece.strip() for piece in pieces]
