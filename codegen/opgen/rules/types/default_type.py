"""OPG400: a default of another type than its argument."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Fix, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml, schema_fix
from opgen.rules.types.misread_number import is_misread
from opgen.schema.constants import DTYPE_CONSTANTS
from opgen.schema.nodes import (
    BaseType,
    ConstantDefault,
    Default,
    ListDefault,
    ListType,
    NameDefault,
    NumberDefault,
    StringDefault,
    Type,
)
from opgen.schema.types import without_optional

CODE = Code(
    id="OPG400",
    name="default-type",
    severity=Severity.ERROR,
    summary="A default has a different type than its argument.",
    why=(
        "PyTorch's parser does not compare scalar defaults with the type (`SchemaParser::parseDefaultValue` in "
        "`torch/csrc/jit/frontend/function_schema_parser.cpp`). If a caller omits the argument, the kernel receives "
        "the value as it is: this is an internal assertion failure or, on the stable ABI, the bits of a double read "
        "as an integer."
    ),
    bad=ops_yaml("cut(Tensor x, int level=1.5) -> Tensor"),
    good=ops_yaml("cut(Tensor x, float level=1.5) -> Tensor"),
    remedy="write a default of the declared type, or change the type",
)

_WHOLE = frozenset({"int", "SymInt", "DeviceIndex", "ConstQuantizerPtr"})
_ENUM_NAMES = {"Layout": {"strided"}, "MemoryFormat": {"contiguous_format"}}
_WHOLE_OR_NAMED = _WHOLE | _ENUM_NAMES.keys() | {"ScalarType"}
_DTYPE_NAMES = {*DTYPE_CONSTANTS, "float", "complex", "long"}


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare each default, or each element of a list, with the type; OPG401 checks ``None``."""
    for argument in op.schema.arguments:
        default = argument.default
        if default is None or (isinstance(default, ConstantDefault) and default.value is None):
            continue
        expected, values = _expectation(argument.type, default)
        for value in values:
            if not (expected and _fits(value, expected)) and not is_misread(value):
                name = f"argument '{argument.name}' is of type {expected or 'optional list'}"
                message = f"{name}, but its default is {_described(value)}"
                yield finding(
                    CODE, op, message, value.span, help=_remedy(value, expected), fix=_fix(op, value, expected)
                )


def _expectation(type_: Type, default: Default) -> tuple[str, tuple[Default, ...]]:
    """Return the type that each value of a default must have, and the values; the type is empty if no value fits.

    A single number may be the default of a sized list, but not of an optional one, for which PyTorch keeps it a number.
    """
    inner = without_optional(type_)
    values: tuple[Default, ...] = default.items if isinstance(default, ListDefault) else (default,)
    if isinstance(inner, ListType):
        if inner is not type_:
            return "", values
        inner = inner.element
    return (inner.name if isinstance(inner, BaseType) else ""), values


def _fits(default: Default, expected: str) -> bool:
    match default:
        case NumberDefault(value=value):
            return (
                (expected == "float" and isinstance(value, float))
                or (expected == "complex" and isinstance(value, complex))
                or (expected in _WHOLE_OR_NAMED and isinstance(value, int))
                or expected == "Scalar"
            )
        case StringDefault():
            return expected in {"str", "Device"}
        case ConstantDefault():
            return expected in {"bool", "Scalar"}
        case NameDefault(name=name):
            if expected == "ScalarType":
                return name in _DTYPE_NAMES
            # `int reduction=Mean` is how ATen's losses write it.
            return name in _ENUM_NAMES.get(expected, set()) or (name == "Mean" and expected in _WHOLE)
    return False


def _described(default: Default) -> str:
    match default:
        case NumberDefault(text=text, value=value):
            kind = {int: "integer", float: "fraction", complex: "complex number"}[type(value)]
            return f"the {kind} {text}"
        case StringDefault(value=text):
            return f"the text '{text}'"
        case ConstantDefault(value=value):
            return str(value)
        case NameDefault(name=name, value=number):
            return f"{name}, which is the integer {number}"
    return "a list"


def _remedy(default: Default, expected: str) -> str:
    same = _same_value(default, expected)
    if expected in _WHOLE and isinstance(default, NumberDefault) and isinstance(default.value, float):
        return f"write `{same}`, or declare the argument as `float`" if same else "declare the argument as `float`"
    if same and expected == "float":
        return f"write `{same}`: the default of an optional is kept as it is written"
    return f"write `{same}`" if same else ""


def _fix(op: Op, default: Default, expected: str) -> Fix | None:
    same = _same_value(default, expected)
    return schema_fix(op, f"write `{same}`", (default.span, same)) if same else None


def _same_value(default: Default, expected: str) -> str:
    """Return a number as a literal of the expected type; empty if its value would change."""
    value = default.value if isinstance(default, NumberDefault) else None
    if expected == "float" and isinstance(value, int):
        return f"{value}.0"
    if expected in _WHOLE and isinstance(value, float) and value.is_integer():
        return str(int(value))
    if expected == "bool" and value is not None:
        return str(bool(value))
    return ""


RULE = Rule(CODE, check)
