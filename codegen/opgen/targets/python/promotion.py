"""Finds where PyTorch would promote unlike a program of expressions, so that tensors have to be converted before.

A program promotes by types alone: a cast takes part, a number does not (``model/compute/value_types.py``). PyTorch goes
by dims as well (``torch.result_type``): a cast number is a tensor without dims, which takes part only if it is of a
wider category, and ``torch.where`` of two integers is an int64 tensor that takes part. A Python ``float`` means float32
to PyTorch, where a program may compute in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from opgen.model.compute.dtypes import TensorTypes
from opgen.model.compute.nodes import Binary, Call, Compare, Kind, Select, Value, ValueType
from opgen.model.op import Argument
from opgen.records import dataclass
from opgen.spec.dtypes import promote
from opgen.targets.expressions import Names
from opgen.targets.names import python_name


@dataclass(frozen=True)
class Promotion:
    """The dtypes that values are computed in, as Python expressions.

    Attributes:
        types: the element types of the tensors.
        names: the identifiers of arguments and sizes.
        precision: the dtype of all floating-point values: ``torch.float32``, ``torch.float64`` or a variable.
    """

    types: TensorTypes
    names: Names
    precision: str = "torch.float32"

    def dtype(self, type_: ValueType) -> str:
        """Return the expression for the dtype of values of a type."""
        if type_.kind == "float":
            return self.precision
        held = [self.types.of_argument(name).names for name in type_.tensors]
        if all(len(names) == 1 for names in held):
            return f"torch.{_joined([*(name for names in held for name in names), *type_.dtypes], type_.kind)}"
        tensors = (_dtype_of(self.names.arguments[name]) for name in type_.tensors)
        return _promotion([*tensors, *(f"torch.{dtype}" for dtype in type_.dtypes)])

    def differs(self, value: Value, type_: ValueType) -> bool:
        """Whether the tensor of a value may have another dtype than values of a type have."""
        return self.dtype(value.type) != self.dtype(type_)

    def is_other(self, tensors: Sequence[Value], type_: ValueType, *, are_alike: bool) -> bool:
        """Whether PyTorch may compute an operation in another dtype than the program does.

        Args:
            tensors: the operands that are tensors, not Python numbers.
            type_: the type of the operation in the program.
            are_alike: whether either all of them have dims or none has, in every call.
        """
        if type_.weak or not any(self.differs(each, type_) for each in tensors):
            return False
        if type_.kind == "float":
            has_float = any(each.type.kind in {"float", "number"} and not each.type.weak for each in tensors)
            return self.precision != "torch.float32" and not has_float
        return type_.kind != "bool" and (not are_alike or any(each.type.weak for each in tensors))


def promoted(arguments: Sequence[Argument]) -> str:
    """Return the expression for `promote(x, y, alpha)` of a contract, over tensors and scalars."""
    tensors = [argument for argument in arguments if argument.is_tensor]
    text = _promotion([*map(_dtype_of, tensors)])
    tensor = python_name(tensors[0].name) if len(tensors) == 1 else f"torch.empty(1, dtype={text})"
    for number in (argument for argument in arguments if not argument.is_tensor):
        name = python_name(number.name)
        text = (
            f"torch.result_type({tensor}, {f'{name} if {name} is not None else False' if number.is_optional else name})"
        )
        tensor = f"torch.empty(1, dtype={text})"
    return text


def _promotion(dtypes: Sequence[str]) -> str:
    return reduce(lambda one, other: f"torch.promote_types({one}, {other})", dtypes)


def _dtype_of(argument: Argument) -> str:
    """Return the expression for the dtype of a tensor; of one that is ``None`` bool, which changes no promotion."""
    name = python_name(argument.name)
    return f"{name}.dtype if {name} is not None else torch.bool" if argument.is_optional else f"{name}.dtype"


def _joined(dtypes: Sequence[str], kind: Kind) -> str:
    """Return the promotion of dtypes; without any, the dtype of a tensor made of a Python number of the kind."""
    result = "bool"
    for dtype in dtypes or ["bool" if kind == "bool" else "int64"]:
        result = promote(result, dtype) or result
    return result


def operands_of(value: Value) -> tuple[tuple[Value, ...], ValueType] | None:
    """Return the operands that an operation promotes, and the type they get; ``None`` with fewer than two operands."""
    match value:
        case Binary(_, left, right):
            return (left, right), value.type
        case Compare(_, left, right, operand_type):
            return (left, right), operand_type
        case Select(_, then, otherwise):
            return (then, otherwise), value.type
        case Call(_, arguments, argument_type) if len(arguments) > 1:
            return arguments, argument_type
    return None
