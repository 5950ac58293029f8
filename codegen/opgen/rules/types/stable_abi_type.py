"""OPG406: a type that the stable ABI can't carry."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.nodes import BaseType, ListType, OptionalType, Type
from opgen.schema.types import returns_none

CODE = Code(
    id="OPG406",
    name="stable-abi-type",
    severity=Severity.ERROR,
    summary="An argument or return of an op on the stable ABI has a type that the ABI can't carry.",
    why=(
        "A stable kernel receives its arguments as 64-bit values, converted by "
        "`torch/csrc/stable/stableivalue_conversions.h`, which supports tensors, integers, floats, booleans, "
        "strings, dtypes, layouts, memory formats, devices, lists and optionals of these, and from torch 2.13 "
        "generators."
    ),
    bad=ops_yaml("scale(Tensor x, Scalar factor) -> Tensor", head="abi: stable\n"),
    good=ops_yaml("scale(Tensor x, float factor) -> Tensor", head="abi: stable\n"),
    remedy="use a type that the stable ABI has, or build this op for the classic ABI (`abi: classic`)",
)

_CARRIED = frozenset(
    {"Tensor", "int", "SymInt", "float", "bool", "str", "ScalarType", "Layout", "MemoryFormat", "Device"}
)
_REMEDIES = {
    "Scalar": "declare one overload a number type (`.Float` with `float`, `.Int` with `int`), or build this op for the classic ABI (`abi: classic`)",
    "complex": "pass real and imaginary part as two `float` arguments, or build this op for the classic ABI (`abi: classic`)",
    "Generator": 'it came with torch 2.13: raise the oldest torch (`torch: ">=2.13"`), or pass a seed as `int`',
    "SymBool": "declare it as `bool`, with a graph for each of its values, or build this op for the classic ABI (`abi: classic`)",
    "bool[]": "return `int[]`, or build this op for the classic ABI (`abi: classic`)",
}
_GENERATOR_SINCE = (2, 13)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Check the type of each argument and return of an op with a stable kernel."""
    if op.abi != "stable" or not op.is_compiled:
        return
    carried = _CARRIED | ({"Generator"} if library.spec.torch >= _GENERATOR_SINCE else set())
    for argument in op.schema.arguments:
        if gap := _gap(argument.type, carried):
            message = f"argument '{argument.name}' has the type {gap}, which the stable ABI can't carry"
            yield finding(CODE, op, message, argument.type.span, help=_remedy(gap, library))
    for index, result in enumerate(op.schema.returns):
        gap = _gap(result.type, carried) or _returned_gap(result.type)
        if gap and not returns_none(result):  # `none-return` reports it
            message = f"return {index} has the type {gap}, which the stable ABI can't carry"
            yield finding(CODE, op, message, result.type.span, help=_remedy(gap, library))


def _remedy(gap: str, library: Library) -> str:
    if gap in library.spec.opaque_types:
        return "it is a Python object: write the kernel in Python, `dispatch: {CPU: python}`"
    if gap.startswith("__torch__."):
        return "write the kernel in Python, `dispatch: {CPU: python}`"
    return _REMEDIES.get(gap, "")


def _gap(type_: Type, carried: frozenset[str]) -> str:
    """Return the part of a type that the stable ABI can't carry; empty if there is none."""
    match type_:
        case OptionalType(element=element) | ListType(element=element):
            return _gap(element, carried)
        case BaseType(name=name):
            return "" if name in carried else name
    return getattr(type_, "name", "tuple")


def _returned_gap(type_: Type) -> str:
    """Return ``bool[]`` if it is part of a returned type: it would need ``std::vector<bool>::data``; else empty."""
    match type_:
        case ListType(element=BaseType(name="bool")):
            return "bool[]"
        case OptionalType(element=element) | ListType(element=element):
            return _returned_gap(element)
    return ""


RULE = Rule(CODE, check, reads=frozenset({"abi", "torch"}))
