"""OPG408: a type that a generated C++ kernel on the classic ABI can't take."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.nodes import BaseType, ClassType, GenericType, ListType, OptionalType, TupleType, Type
from opgen.schema.types import returns_none

CODE = Code(
    id="OPG408",
    name="classic-abi-type",
    severity=Severity.ERROR,
    summary="A C++ kernel on the classic ABI has an argument or return of a type that generated C++ can't express.",
    why=(
        "A classic kernel receives its arguments through `c10::IValue::to`, which converts tensors, numbers, "
        "strings, devices, dtypes, generators, storages, streams, lists, optionals, tuples and dictionaries to C++ "
        "types. opgen doesn't know the C++ class behind a class name, `Any` and `Union` have no single type, and a "
        "`QScheme` can't be passed from Python."
    ),
    bad=ops_yaml("scale(Tensor x, Any factor) -> Tensor", head="abi: classic\n"),
    good=ops_yaml("scale(Tensor x, Scalar factor) -> Tensor", head="abi: classic\n"),
    remedy="use another type, or write the kernel in Python, `dispatch: {CPU: python}`",
)

_KNOWN = frozenset(
    "Tensor int SymInt float bool SymBool str complex Scalar ScalarType Layout MemoryFormat Device Generator "  # noqa: SIM905 - words
    "Storage Stream".split()
)
_KEYS = frozenset({"int", "float", "complex", "bool", "str", "Tensor"})
"""The key types of ``c10::Dict``. Source: ``valid_dict_key_types`` in ``ATen/core/Dict.h``."""


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Check the type of each argument and return of an op with a classic kernel."""
    if op.abi != "classic" or not op.is_compiled:
        return
    for argument in op.schema.arguments:
        if gap := _gap(argument.type):
            message = f"argument '{argument.name}' has the type {gap}, which no C++ kernel can take"
            yield finding(CODE, op, message, argument.type.span)
    for index, result in enumerate(op.schema.returns):
        gap = _gap(result.type)
        if gap and not returns_none(result):  # `none-return` reports it
            message = f"return {index} has the type {gap}, which no C++ kernel can return"
            yield finding(CODE, op, message, result.type.span)


def _gap(type_: Type) -> str:
    """Return the part of a type that has no C++ type; empty if there is none."""
    match type_:
        case BaseType(name=name):
            return "" if name in _KNOWN else name
        case OptionalType(element=element) | ListType(element=element):
            return _gap(element)
        case TupleType(elements=parts):
            return next(filter(None, map(_gap, parts)), "")
        case GenericType(name="Dict", parameters=(BaseType(name=key), value)):
            return _gap(value) if key in _KEYS else f"Dict of {key}"
        case ClassType(name=name) | GenericType(name=name):
            return name


RULE = Rule(CODE, check, reads=frozenset({"abi", "dispatch"}))
