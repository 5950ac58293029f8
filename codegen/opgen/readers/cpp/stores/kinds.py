"""What a variable is to a store, told by the type that is written."""

from __future__ import annotations

import re
from enum import Enum, auto

_CONST = re.compile(r"\bconst\b")
_INNERMOST = re.compile(r"<[^<>]*>")
_LIST = re.compile(
    r"\bI?TensorList(?:Ref)?\b|\b(?:\w*vector|\w*ArrayRef|List|array|span|initializer_list)\s*<[^<>]*\bTensor\b"
)
_TENSOR = re.compile(r"\bTensor\b")
_PLAIN = re.compile(
    r"(?:const )?(?:std::)?(?:u?int(?:8|16|32|64)?(?:_t)?|size_t|ptrdiff_t|float|double|bool|char|unsigned(?: int| char)?|long(?: long)?|dim3"
    r"|string(?:_view)?|\w+Stream_t|(?:c10::|at::)?(?:ScalarType|IntArrayRef|Device))(?: const)?&?"
)
"""What holds no pointer."""


class Kind(Enum):
    """How memory is reached: an element of a pointer is ``p[i]``, of an optional tensor nothing is ``*x``."""

    POINTER = auto()
    TENSOR = auto()
    LIST = auto()
    ACCESSOR = auto()
    REFERENCE = auto()
    VALUE = auto()
    """``auto``, a template's ``T``: what its value is."""
    READ_ONLY = auto()
    """A pointer to const, a number: nothing is stored through it."""


def kind_of(type_: str) -> Kind:  # noqa: PLR0911 - one for each kind
    """Classify a type, ``scalar_t* __restrict__``, whose whitespace is regular."""
    if _PLAIN.fullmatch(type_) and not (type_.endswith("&") and "const" not in type_):
        return Kind.READ_ONLY
    if "Accessor" in type_:
        return Kind.READ_ONLY if "<const " in type_ else Kind.ACCESSOR
    if _LIST.search(type_):
        return Kind.LIST
    bare = without_arguments(type_) if "<" in type_ else type_
    if "*" in bare or "[" in bare:
        pointee = re.split(r"[*\[]", bare, maxsplit=1)[0]
        if _TENSOR.search(pointee):
            return Kind.READ_ONLY  # a pointer to handles of tensors
        return Kind.READ_ONLY if _CONST.search(pointee) else Kind.POINTER
    if _TENSOR.search(type_):
        return Kind.TENSOR
    return Kind.REFERENCE if bare.endswith("&") and not _CONST.search(bare) else Kind.VALUE


def is_pointer_to_pointers(type_: str) -> bool:
    """Whether what is behind a pointer are pointers, whose memory is not its own."""
    return re.search(r"\*(?:\s|const|__restrict__)*\*", type_) is not None


def without_arguments(type_: str) -> str:
    """Take the arguments of templates out of a name or a type."""
    while (bare := _INNERMOST.sub("", type_)) != type_:
        type_ = bare
    return type_
