"""Translates types that authors write as in C++ or Python to the words of a schema, for remedies."""

from __future__ import annotations

import re

from opgen.schema.kinds import BASE_TYPES

_NAMES = {
    "int64_t": "SymInt, or int for a number that is no size",
    "int32_t": "int",
    "int16_t": "int",
    "int8_t": "int",
    "uint8_t": "int",
    "uint32_t": "int",
    "uint64_t": "int",
    "size_t": "SymInt",
    "long": "int",
    "short": "int",
    "unsigned": "int",
    "Int": "int",
    "integer": "int",
    "double": "float",
    "Double": "float",
    "Float": "float",
    "float32": "float",
    "float64": "float",
    "SymFloat": "float",
    "Bool": "bool",
    "boolean": "bool",
    "string": "str",
    "String": "str",
    "string_view": "str",
    "char": "str",
    "c10_string": "str",
    "tensor": "Tensor",
    "TensorBase": "Tensor",
    "TensorList": "Tensor[]",
    "ITensorListRef": "Tensor[]",
    "IntArrayRef": "int[]",
    "IntList": "int[]",
    "SymIntArrayRef": "SymInt[]",
    "OptionalIntArrayRef": "int[]?",
    "DimVector": "int[]",
    "Dimname": "str",
    "DimnameList": "str[]",
    "Number": "Scalar",
    "number": "Scalar",
    "scalar": "Scalar",
    "dtype": "ScalarType",
    "Dtype": "ScalarType",
    "scalar_type": "ScalarType",
    "device": "Device",
    "layout": "Layout",
    "memory_format": "MemoryFormat",
    "stream": "Stream",
    "generator": "Generator",
    "storage": "Storage",
    "void": "()",
    "any": "Any",
    "object": "Any",
    "PyObject": "Any",
    "List": "T[], as in int[]",
    "list": "T[], as in int[]",
    "Sequence": "T[], as in int[]",
    "vector": "T[], as in int[]",
    "ArrayRef": "T[], as in int[]",
    "Optional": "T?, as in Tensor?",
    "optional": "T?, as in Tensor?",
    "Tuple": "(A, B), as in (int, Tensor)",
    "tuple": "(A, B), as in (int, Tensor)",
    "dict": "Dict(K, V)",
}
_LISTS = frozenset({"list", "sequence", "iterable", "vector", "arrayref", "array", "span"})
_DICTS = frozenset({"dict", "mapping", "map", "unordered_map"})
_NAMESPACES = re.compile(r"\b(?:\w+(?:::|\.))+")
_QUALIFIERS = re.compile(r"\b(?:const|struct|typename)\b|[&*]")
_GENERIC = re.compile(r"(\w+)\s*\[(.*)\]", re.DOTALL)
_ANNOTATED = re.compile(r"(\w+)\s*:\s*([^:].*)", re.DOTALL)
_START = re.compile(r"\s*(?:const\s+)?[A-Za-z_](?:[\w.]|::)*\s*")


UNKNOWN = "a type of schemas"
"""The placeholder for a type that can't be translated."""


def suggestion(name: str, *, known: frozenset[str] = frozenset()) -> str:
    """Return the type to write instead of an unknown one; empty if none is known."""
    plain = _NAMESPACES.sub("", name)
    if plain in _NAMES:
        return _NAMES[plain]
    if plain in BASE_TYPES:
        return plain
    import difflib  # noqa: PLC0415 - only needed for wrong schemas

    lower = {candidate.lower(): candidate for candidate in sorted(BASE_TYPES | known)}
    close = difflib.get_close_matches(plain.lower(), lower, n=1)
    return lower[close[0]] if close else ""


def is_foreign(name: str) -> bool:
    """Whether an unknown type is a C++ or Python type that a schema writes differently, and not a misspelling."""
    plain = _NAMESPACES.sub("", name)
    return plain in _NAMES or plain in BASE_TYPES


def in_schema_words(text: str) -> str:  # noqa: PLR0911 - one for each form
    """Translate a C++ or Python type, or ``name: type``: ``Optional[List[int]]`` to ``int[]?``."""
    annotated = _ANNOTATED.fullmatch(text)
    if annotated:
        return f"{in_schema_words(annotated[2])} {annotated[1]}"
    plain = _NAMESPACES.sub("", _QUALIFIERS.sub("", text).replace("<", "[").replace(">", "]")).strip()
    generic = _GENERIC.fullmatch(plain)
    if generic is None:
        name = suggestion(plain) or plain
        return name.partition(",")[0]
    head = generic[1].lower()
    parts = [in_schema_words(part) for part in _split(generic[2]) if part.strip()]
    if head == "optional" and len(parts) == 1:
        return f"{parts[0]}?"
    if head in _LISTS and parts:
        return f"{parts[0]}[]"
    if head in {"tuple", "pair"}:
        return f"({', '.join(parts)})"
    if head in _DICTS:
        return f"Dict({', '.join(parts)})"
    if generic[1] in {"Union", "Future", "Await", "RRef"}:
        return f"{generic[1]}({', '.join(parts)})"
    return f"{generic[1]}[]" if generic[1] in BASE_TYPES else UNKNOWN


def type_end(text: str, start: int) -> int:
    """Return the end of a C++ or Python type, or ``name: type``, that begins at ``start``."""
    match = _START.match(text, start)
    if match is None:
        return start
    end = match.end()
    if text[end : end + 1] == ":":
        return max(type_end(text, end + 1), end)
    if text[end : end + 1] in {"[", "<"}:
        end = _closing(text, end)
    while text[end : end + 1] in {"&", "*"}:
        end += 1
    return start + len(text[start:end].rstrip())


def _closing(text: str, position: int) -> int:
    """Return the offset after the bracket that closes the one at ``position``, or the end of the text."""
    depth = 0
    for index in range(position, len(text)):
        depth += (text[index] in "[<") - (text[index] in "]>")
        if not depth:
            return index + 1
    return len(text)


def _split(text: str) -> list[str]:
    parts, depth = [""], 0
    for character in text:
        depth += (character in "[(") - (character in "])")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts
