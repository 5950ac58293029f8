"""Type promotion of values as in PyTorch, symbolically: the dtypes of tensors are known only in a call."""

from __future__ import annotations

from dataclasses import replace

from opgen.model.compute.nodes import (
    Binary,
    Call,
    Kind,
    Number,
    Scalar,
    Select,
    Unary,
    Value,
    ValueType,
)

BOOL = ValueType("bool")
INT64 = ValueType("int", dtypes=("int64",))

_ORDER: dict[Kind, int] = {"bool": 0, "int": 1, "number": 2, "float": 3}


def is_wider(kind: Kind, than: Kind) -> bool:
    """Whether a kind is wider than another: float is wider than integer, which is wider than bool."""
    return _ORDER[kind] > _ORDER[than]


def join(left: ValueType, right: ValueType) -> ValueType:
    """Return the type that an operation on two values is computed in, by the rules of ``torch.result_type``.

    A weak operand takes part only if its kind is wider, and then with PyTorch's default dtype of that kind. For
    integers that is int64; floating-point values are computed in float32 or wider in any case.
    """
    kind = left.kind if is_wider(left.kind, right.kind) else right.kind
    if left.weak and right.weak:
        return ValueType(kind, weak=True)
    if left.weak or right.weak:
        strong = right if left.weak else left
        default = ("int64",) if kind == "int" and strong.kind == "bool" else ()
        return ValueType(kind, strong.tensors, strong.dtypes + default)
    return ValueType(kind, _union(left.tensors, right.tensors), _union(left.dtypes, right.dtypes))


def _union(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(left + right))


def as_float(type_: ValueType) -> ValueType:
    """Return the floating-point type that a function computes in."""
    return replace(type_, kind="float")


def strong(type_: ValueType) -> ValueType:
    """Return the type of a reduction's result: not weak; int64 for a weak integer."""
    if type_.weak and type_.kind == "int":
        return INT64
    return replace(type_, weak=False)


def summed(type_: ValueType) -> ValueType:
    """Return the type of a sum or product: int64 for integers and bools, as in PyTorch."""
    if type_.kind == "float":
        return strong(type_)
    kind: Kind = "number" if type_.kind == "number" else "int"
    return ValueType(kind, type_.tensors, _union(type_.dtypes, ("int64",)))


def adopt(value: Value, type_: ValueType) -> Value:  # noqa: PLR0911 - one case a node
    """Give arithmetic on weak values the type it is combined with: ``x * (alpha / 3)`` is all in the type of x."""
    if not value.type.weak or value.type.kind not in ("float", "number") or type_.kind != "float":
        return value
    match value:
        case Number() | Scalar():
            return value
        case Unary(_, operand):
            return replace(value, operand=adopt(operand, type_), type=type_)
        case Binary(_, left, right):
            return replace(value, left=adopt(left, type_), right=adopt(right, type_), type=type_)
        case Select(_, then, otherwise):
            return replace(value, then=adopt(then, type_), otherwise=adopt(otherwise, type_), type=type_)
        case Call(_, arguments):
            taken = tuple(adopt(argument, type_) for argument in arguments)
            return replace(value, arguments=taken, argument_type=type_, type=type_)
    return value
