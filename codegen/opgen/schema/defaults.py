"""Reads defaults as PyTorch does: by the kind of the declared type, mostly without checking that the default fits it.

Source: ``parseDefaultValue``, ``parseSingleConstant`` and ``convertToList`` in
``torch/csrc/jit/frontend/function_schema_parser.cpp``; devices: ``c10/core/Device.cpp``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from opgen.schema import strings
from opgen.schema.codes import BAD_DEFAULT, BAD_STRING, NUMBER_RANGE
from opgen.schema.constants import ANY_TYPE_CONSTANTS, DEVICE_TYPES, DTYPE_CONSTANTS
from opgen.schema.errors import SchemaError
from opgen.schema.kinds import kind_of
from opgen.schema.nodes import (
    BaseType,
    ConstantDefault,
    Default,
    GenericType,
    ListDefault,
    ListType,
    NameDefault,
    NumberDefault,
    OptionalType,
    ScalarDefault,
    StringDefault,
    Type,
)
from opgen.schema.numbers import NoNumberError, OutOfRangeError, stod, stoll
from opgen.schema.printer import print_type
from opgen.schema.tree import RawConstant, RawDefault, RawList

_ONLY_NONE = frozenset({"Tensor", "Generator", "Quantizer"})
_ANY_CONSTANT = frozenset({"int", "float", "bool", "complex", "Scalar", "str", "optional"})
_ELEMENTS = {"int": int, "float": float, "bool": bool, "complex": complex}
_DEVICE = re.compile(r"(\w+)(?::(0|[1-9][0-9]{0,9}))?", re.ASCII)
_CONSTANTS = {"True": True, "False": False, "None": None}
_NO_INFINITY = "None for a float? argument: infinity and nan can't be written"
_NAMES_HELP = "a text needs quotes; the names are constants such as float32 or contiguous_format"
_OTHER_LANGUAGES = {
    **dict.fromkeys(("true", "TRUE"), "True"),
    **dict.fromkeys(("false", "FALSE"), "False"),
    **dict.fromkeys(("none", "null", "nullptr", "NULL", "nullopt"), "None"),
    **dict.fromkeys(("inf", "nan", "INFINITY", "NAN"), _NO_INFINITY),
}


def read_default(type_: Type, raw: RawDefault, name: str) -> Default | SchemaError:  # noqa: PLR0911 - one for each kind
    """Return the default of the argument ``name``, or the error with which PyTorch refuses it."""
    kind = kind_of(type_)
    if kind.name in _ONLY_NONE:
        if isinstance(raw, RawConstant) and raw.text == "None":
            return ConstantDefault(None, raw.span)
        return _refused(raw, name, f"a {kind.name} can have no default but None", f"write {kind.name}? {name}=None")
    if kind.name == "Device":
        return _device(raw, name)
    if isinstance(type_, ListType):
        return _list(type_, raw, name)
    if kind.name not in _ANY_CONSTANT or (isinstance(type_, GenericType) and kind.name != "optional"):
        return _refused(raw, name, "an argument of this type can have no default", "make the type optional")
    if isinstance(raw, RawList):
        return _refused(raw, name, "only a list can have a list as its default", "an optional list takes None only")
    return _constant(raw, name, kind.name, is_dtype=_is_dtype(type_))


def _list(type_: ListType, raw: RawDefault, name: str) -> Default | SchemaError:
    element = kind_of(type_.element).name
    if element not in _ELEMENTS:
        message = "only lists of int, float, bool and complex can have a default"
        return _refused(raw, name, message, f"make it optional: {print_type(type_)}? {name}=None")
    if isinstance(raw, RawList):
        items = []
        for raw_item in raw.items:
            item = _element(type_, element, raw_item, name)
            if isinstance(item, SchemaError):
                return item
            items.append(item)
        return ListDefault(tuple(items), raw.span)
    return _repeated(type_, element, raw, name)


def _repeated(type_: ListType, element: str, raw: RawConstant, name: str) -> ScalarDefault | SchemaError:
    """Read a constant that is repeated for all elements of a sized list, as ``int[2] pad=1``."""
    if raw.text == "None" and type_.size != 0:  # PyTorch makes no element of it and reads []
        return _refused(raw, name, "expected a list, found None", f"make it optional: {print_type(type_)}? {name}=None")
    if type_.size is None or raw.kind == "name":
        return _refused(raw, name, f"expected a list, found {raw.text}", f"write {name}=[{raw.text}]")
    if type_.size < 0:
        return _refused(raw, name, "the size of this list is negative in 32 bits", "use a smaller size")
    if type_.size == 0:  # the constant is repeated 0 times, so PyTorch never checks it
        return _constant(raw, name, element, is_dtype=False)
    return _element(type_, element, raw, name)


def _element(type_: ListType, element: str, raw: RawConstant, name: str) -> ScalarDefault | SchemaError:
    item = _constant(raw, name, element, is_dtype=_is_dtype(type_.element))
    if isinstance(item, SchemaError) or type(item.value) is _ELEMENTS[element]:
        return item
    return _refused(
        raw, name, f"expected elements of type {element}, found {raw.text}", f"write a constant of type {element}"
    )


def _constant(raw: RawConstant, name: str, kind: str, *, is_dtype: bool) -> ScalarDefault | SchemaError:
    match raw.kind:
        case "constant":
            return ConstantDefault(_CONSTANTS[raw.text], raw.span)
        case "string":
            return _string(raw, name)
        case "name":
            names = ANY_TYPE_CONSTANTS | DTYPE_CONSTANTS if is_dtype else ANY_TYPE_CONSTANTS
            if raw.text in names:
                return NameDefault(raw.text, names[raw.text], raw.span)
            help_ = f'write {name}="{raw.text}"' if kind == "str" else _instead(raw.text, names)
            replacement = _OTHER_LANGUAGES.get(raw.text)
            error = _refused(raw, name, f"unknown name {raw.text}", help_)
            return replace(error, replacement=replacement if replacement in _CONSTANTS else None)
        case "number":
            return _number(raw, name, kind)


def _number(raw: RawConstant, name: str, kind: str) -> NumberDefault | SchemaError:
    text = raw.text
    value: int | float | complex
    try:
        if kind == "complex" or "j" in text:
            value = complex(0, stod(text[:-1]))  # PyTorch takes the last character for the j, whatever it is
        elif kind == "float" or "." in text or "e" in text:
            value = stod(text)
        else:
            value = stoll(text)
    except OutOfRangeError:
        return SchemaError(NUMBER_RANGE, f"the default of '{name}' does not fit in 64 bits, found {text}", raw.span)
    except NoNumberError:
        return _refused(raw, name, f"expected an imaginary number, found {text}", f"write {name}={text}j")
    return NumberDefault(text, value, raw.span)


def _string(raw: RawConstant, name: str) -> StringDefault | SchemaError:
    try:
        return StringDefault(strings.decode(raw.text), raw.span)
    except strings.BadEscapeError as error:
        message = f"the default of '{name}' has an escape that TorchScript does not know, found {error}"
        return SchemaError(BAD_STRING, message, raw.span, r"write the character itself, or three octal digits: \101")


def _device(raw: RawDefault, name: str) -> StringDefault | SchemaError:
    if isinstance(raw, RawList) or raw.kind != "string":
        found = raw.text if isinstance(raw, RawConstant) else "a list"
        help_ = f'write {name}="{found}"' if found in DEVICE_TYPES else f'write {name}="cpu", or Device? {name}=None'
        return _refused(raw, name, f"a Device needs a text in quotes, found {found}", help_)
    text = _string(raw, name)
    if isinstance(text, SchemaError):
        return text
    match = _DEVICE.fullmatch(text.value)
    if match is None or match[1] not in DEVICE_TYPES or int(match[2] or 0) >= 2**31:
        why = f"expected a device such as cpu or cuda:0, found {raw.text}"
        return _refused(raw, name, why, f"the devices are {', '.join(sorted(DEVICE_TYPES))}")
    return text


def _refused(raw: RawDefault, name: str, why: str, help_: str) -> SchemaError:
    return SchemaError(BAD_DEFAULT, f"'{name}' can't have this default: {why}", raw.span, help_)


def _instead(text: str, names: Iterable[str]) -> str:
    import difflib  # noqa: PLC0415 - only needed for wrong schemas

    if text in _OTHER_LANGUAGES:
        return f"write {_OTHER_LANGUAGES[text]}"
    close = difflib.get_close_matches(text, names, n=1)
    return f"write {close[0]}" if close else _NAMES_HELP


def _is_dtype(type_: Type) -> bool:
    while isinstance(type_, OptionalType):
        type_ = type_.element
    return isinstance(type_, BaseType) and type_.name == "ScalarType"
