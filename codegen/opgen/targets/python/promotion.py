"""Where PyTorch promotes otherwise than a program does, so that its tensors have to be brought to a dtype first.

A program goes by types: a cast counts, a number does not (``model/compute/value_types.py``). PyTorch goes by dims as well
(``torch.result_type``): a cast of numbers is a tensor without dims, which counts only where it is of a wider kind, and a
choice of numbers by a tensor is a tensor of int64 that counts. Its float is float32, where a program may compute in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    """What values are computed in.

    Attributes:
        types: of the tensors.
        names: of the op.
        precision: the dtype of floating-point values, as a text.
    """

    types: TensorTypes
    names: Names
    precision: str = "torch.float32"

    def dtype(self, type_: ValueType) -> str:
        """Return the dtype of values of a type, as a text."""
        if type_.kind == "float":
            return self.precision
        held = [self.types.of_argument(name).names for name in type_.tensors]
        if all(len(names) == 1 for names in held):
            return f"torch.{_joined([*(name for names in held for name in names), *type_.dtypes], type_.kind)}"
        tensors = (_dtype_of(self.names.arguments[name]) for name in type_.tensors)
        return _promotion([*tensors, *(f"torch.{dtype}" for dtype in type_.dtypes)])

    def differs(self, value: Value, type_: ValueType) -> bool:
        """Whether a tensor that holds a value may be of another dtype than those of a type."""
        return self.dtype(value.type) != self.dtype(type_)

    def is_other(self, tensors: Sequence[Value], type_: ValueType, has_dims: Callable[[Value], bool]) -> bool:
        """Whether PyTorch may compute with tensors in another dtype than that of a type.

        Args:
            tensors: the operands that are no numbers of Python.
            type_: of the operation.
            has_dims: whether a value has dims in every call.
        """
        if type_.weak or not any(self.differs(each, type_) for each in tensors):
            return False
        if type_.kind == "float":
            has_float = any(each.type.kind in {"float", "number"} and not each.type.weak for each in tensors)
            return self.precision != "torch.float32" and not has_float
        return type_.kind != "bool" and any(each.type.weak == has_dims(each) for each in tensors)


def promoted(arguments: Sequence[Argument]) -> str:
    """Return the dtype that tensors and numbers come to, `promote(x, y, alpha)` of a contract, as a text."""
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
    """Return the dtype of a tensor, of one that is absent that which counts for nothing."""
    name = python_name(argument.name)
    return f"{name}.dtype if {name} is not None else torch.bool" if argument.is_optional else f"{name}.dtype"


def _joined(dtypes: Sequence[str], kind: Kind) -> str:
    """Return the promotion of some dtypes, which have one; of none what PyTorch makes of a number of the kind."""
    result = "bool"
    for dtype in dtypes or ["bool" if kind == "bool" else "int64"]:
        result = promote(result, dtype) or result
    return result


def operands_of(value: Value) -> tuple[tuple[Value, ...], ValueType] | None:
    """Return what an operation takes to one type, and that type; nothing of what takes no two values."""
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
