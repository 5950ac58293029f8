"""Renders values of a program as PyTorch expressions over whole tensors, in the precision that kernels compute in.

Tensors have been converted to that precision before (``_wide``), so that PyTorch's own promotion agrees with the types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from opgen.model.compute.functions import FUNCTIONS, Result
from opgen.model.compute.nodes import (
    Binary,
    Call,
    Cast,
    Compare,
    Dim,
    Given,
    Index,
    Load,
    Logical,
    Named,
    Number,
    Operand,
    Scalar,
    Select,
    SizeOf,
    Unary,
    Value,
    ValueType,
)
from opgen.model.compute.sizes import as_expression, plus, polynomial
from opgen.model.compute.steps import Reduced, value_in
from opgen.model.compute.walk import axes_of, every, is_number, parts
from opgen.records import dataclass
from opgen.spec.dtypes import FLOAT, FLOAT8
from opgen.spec.expression import Constant
from opgen.spec.kernel_written import Tightness
from opgen.targets.expressions import Binding, Names, render_python
from opgen.targets.expressions.operators import PYTHON, Piece, held, joined, signed
from opgen.targets.names import python_name
from opgen.targets.python.layout import py_number
from opgen.targets.python.promotion import Promotion, operands_of
from opgen.targets.python.torch_space import TorchSpace

_FUNCTIONAL = {"silu": "silu({})", "gelu": "gelu({})", "gelu_tanh": 'gelu({}, approximate="tanh")'}
_REDUCTIONS = {
    "sum": "{}.sum({}, keepdim=True)",
    "mean": "{}.mean({}, keepdim=True)",
    "prod": "{}.prod({}, keepdim=True)",
    "max": "{}.amax({}, keepdim=True)",
    "min": "{}.amin({}, keepdim=True)",
    "argmax": "{}.argmax({}, keepdim=True)",
    "argmin": "{}.argmin({}, keepdim=True)",
    "any": "{}.any({}, keepdim=True)",
    "all": "{}.all({}, keepdim=True)",
    "logsumexp": "{}.logsumexp({}, keepdim=True)",
    "var": "{}.var({}, correction={}, keepdim=True)",
}
_OF_FLOATS = frozenset({"mean", "logsumexp", "var"})
_FLOATING = frozenset((*FLOAT, *FLOAT8))
_OF_NUMBERS = {"/": "_divided", "**": "_power"}
"""Operations on Python numbers that raise, or give a complex number, where tensors give infinity or NaN."""
_ONE_DIM = frozenset({"prod", "argmax", "argmin", "any", "all"})
"""Reductions whose PyTorch functions take one dim at a time."""


@dataclass(frozen=True)
class TorchValues:
    """Renders values.

    Attributes:
        space: the iteration space of the program.
        names: the identifiers of arguments and sizes.
        variables: the variable of each step, and of each tensor that is no argument of the op.
        numbers: the steps that are Python numbers rather than tensors.
        device_of: the tensor whose device new tensors get.
        sure: step -> the axes along which its tensor has dims in every call.
        promotion: the dtypes of values.
    """

    space: TorchSpace
    names: Names
    variables: Mapping[str, str]
    numbers: frozenset[str]
    device_of: str
    sure: Mapping[str, frozenset[str]]
    promotion: Promotion

    def render(self, value: Value, at_least: Tightness = Tightness.CHOICE) -> str:
        """Render a value, in parentheses if its precedence is below ``at_least``."""
        return held(self._piece(value), at_least)

    def is_number(self, value: Value) -> bool:
        """Whether a value is a Python number or ``bool``: nothing in it is read from a tensor."""
        return is_number(value, self.numbers)

    def sure_axes(self, value: Value) -> frozenset[str]:
        """Return the axes along which the tensor of a value has dims in every call.

        Of a choice whose condition is a Python ``bool`` they are the axes that both branches have.
        """
        if isinstance(value, Select) and self.is_number(value.condition):
            return self.sure_axes(value.then) & self.sure_axes(value.otherwise)
        if isinstance(value, Logical) and self.is_number(value.operands[0]):
            return frozenset()  # the first operand may decide alone
        if isinstance(value, Named):
            return self.sure.get(value.name, frozenset())
        own = axes_of(value, {}) if isinstance(value, Load | Index) else frozenset()
        return own.union(*map(self.sure_axes, parts(value)))

    def reduced(self, reduced: Reduced) -> str:
        """Return the expression for a reduction, whose result keeps the reduced dims with size 1."""
        text = self.render(reduced.value, Tightness.ATOM)
        if not self.sure_axes(reduced.value).issuperset(reduced.axes):
            text = f"_spread({self.render(reduced.value)}, {self.space.spread(reduced.axes)})"
        if reduced.function in _OF_FLOATS:
            text = self._floating(reduced.value, text)
        form = _REDUCTIONS[reduced.function]
        axes = [axis for axis in self.space.axes if axis.name in reduced.axes]
        if any(axis.is_pack for axis in axes):
            ranges = [f"*{self.space.run(a)}" if a.is_pack else self.space.place(a.name) for a in axes]
            form = "_product({}, {})" if reduced.function == "prod" else form
            inner = form.format("value", "dims", reduced.correction)
            return f"_along(lambda value, dims: {inner}, {text}, [{', '.join(ranges)}])"
        places = [self.space.place(axis.name) for axis in axes]
        if reduced.function in _ONE_DIM:
            for place in places:
                text = form.format(text, place)
            return text
        dims_text = places[0] if len(places) == 1 else f"({', '.join(places)})"
        return form.format(text, dims_text, reduced.correction)

    def operand(self, operand: Operand) -> str:
        """Return the expression for a tensor argument, or a slice of it, aligned with the axes."""
        text = self.variables.get(operand.argument, python_name(operand.argument))
        if operand.is_part:
            text = f"{text}[..., {self.bounds(operand)}]"
        return self.space.aligned(text, operand.dims)

    def bounds(self, operand: Operand) -> str:
        """Return the bounds of a slice, as the formatter writes them."""
        start = operand.start or Constant(0)
        axis = operand.dims[-1].axis
        length = Constant(1) if axis is None else self.space.size_of(axis)
        stop = as_expression(plus(polynomial(start), polynomial(length)))
        first, last = (render_python(each, self.names) for each in (start, stop))
        first = "" if start == Constant(0) else first
        is_simple = all(text.isidentifier() or text.isdigit() or not text for text in (first, last))
        return f"{first}:{last}" if is_simple else f"{first} : {last}".strip()

    @property
    def _precision(self) -> str:
        return self.promotion.precision

    @cached_property
    def _device(self) -> str:
        return f"device={self.device_of}.device"

    # --- nodes --------------------------------------------------------------------------------------------------------
    def _piece(self, value: Value) -> Piece:  # noqa: C901, PLR0911, PLR0912 - one case a node
        match value:
            case Number(number):
                is_signed = not isinstance(number, bool) and number < 0
                return py_number(number), Tightness.SIGN if is_signed else Tightness.ATOM
            case Scalar(argument):
                return python_name(argument), Tightness.ATOM
            case SizeOf(size):
                return render_python(size, self.names, Binding.ATOM), Tightness.ATOM
            case Index(axis):
                places = f"torch.arange({self.space.size(axis)}, {self._device})"
                return self.space.aligned(places, (Dim(axis),)), Tightness.ATOM
            case Given(argument):
                return f"{python_name(argument)} is not None", Tightness.COMPARISON
            case Load(operand):
                return self.operand(operand), Tightness.ATOM
            case Named(name):
                return self.variables[name], Tightness.ATOM
            case Unary("not", operand):
                if self.is_number(operand):
                    return f"not {self.render(operand, Tightness.NOT)}", Tightness.NOT
                return signed("~", self._piece(operand))
            case Unary(operator, operand):
                return signed(operator, self._piece(operand))
            case Binary():
                return self._binary(value)
            case Compare(operator):
                return joined(PYTHON, operator, *self._operands(value))
            case Logical():
                return self._logical(value)
            case Select():
                return self._select(value)
            case Cast(dtype, operand):
                text = self.render(operand, Tightness.ATOM)
                tensor = self._as_tensor(operand) if self.is_number(operand) else text
                cast = f"{tensor}.to(torch.{dtype})"
                if dtype not in _FLOATING or self._precision == f"torch.{dtype}":
                    return cast, Tightness.ATOM
                wide = f"_wide({cast})" if self._precision == "torch.float32" else f"{cast}.to({self._precision})"
                return wide, Tightness.ATOM
            case Call():
                return self._call(value), Tightness.ATOM

    def _as_tensor(self, value: Value) -> str:
        """Return a number as a tensor without dims, which does not change the promoted dtype of tensors with dims."""
        dtype = "dtype=torch.float64, " if value.type.kind == "float" else ""
        return f"torch.tensor({self.render(value)}, {dtype}{self._device})"

    def asks_precision(self, value: Value | Reduced) -> bool:
        """Whether PyTorch's result for a value has to be converted to the dtype that is computed in."""
        if isinstance(value, Reduced) and value.function in _OF_FLOATS and value.value.type.kind != "float":
            return True
        return any(self._is_brought(each) or self._is_told(each) for each in every(value_in(value)))

    def _is_told(self, value: Value) -> bool:
        """Whether the operands must be converted explicitly, since PyTorch may promote them unlike the program."""
        operands, type_ = operands_of(value) or ((), value.type)
        tensors = [each for each in operands if not self.is_number(each)]
        if isinstance(value, Select) and self.is_number(value.condition):
            return bool(tensors) and not type_.weak and any(self.promotion.differs(each, type_) for each in operands)
        return self.promotion.is_other(tensors, type_, are_alike=self._are_alike(tensors))

    def _are_alike(self, tensors: Sequence[Value]) -> bool:
        """Whether all have dims in every call, or all as many: runs may be empty, of those that are broadcast one alone."""
        known, axes = [*map(self.sure_axes, tensors)], self.space.axes
        single = {axis.name for axis in axes if not axis.is_pack}
        return all(each & single for each in known) or all(
            axis.name in each and len(axis.packs) <= 1 for each in known for axis in axes
        )

    def _operands(self, value: Value) -> list[Piece]:
        """Render operands, converted to the dtype that they are computed in if PyTorch would choose another one."""
        operands, type_ = operands_of(value) or ((), value.type)
        is_told = self._is_told(value)
        return [self._brought(each, type_) if is_told else self._piece(each) for each in operands]

    def _brought(self, value: Value, type_: ValueType) -> Piece:
        if self.is_number(value) or not self.promotion.differs(value, type_):
            return self._piece(value)
        return f"{self.render(value, Tightness.ATOM)}.to({self.promotion.dtype(type_)})", Tightness.ATOM

    @staticmethod
    def _is_brought(value: Value) -> bool:
        match value:
            case Cast(dtype):
                return dtype in _FLOATING
            case Binary("/", left, right):
                return "float" not in (left.type.kind, right.type.kind)
            case Call(name, arguments) if FUNCTIONS[name].result is Result.FLOAT:
                return any(argument.type.kind != "float" for argument in arguments)
        return False

    def _binary(self, value: Binary) -> Piece:
        if (
            value.type.kind == "float"
            and self.is_number(value)
            and value.operator in _OF_NUMBERS
            and not _is_sure(value)
        ):
            return (
                f"{_OF_NUMBERS[value.operator]}({self.render(value.left)}, {self.render(value.right)})",
                Tightness.ATOM,
            )
        left, right = self._operands(value)  # rendered once: twice a level would be exponential in the depth
        if value.operator == "**":
            base, exponent = held(left, Tightness.ATOM), held(right, Tightness.SIGN)
            if base.isidentifier() and (exponent.isidentifier() or isinstance(value.right, Number)):
                return f"{base}**{exponent}", Tightness.POWER  # the formatter has it so
        if self._precision != "torch.float32" and self._is_brought(value) and not self.is_number(value):
            is_number = self.is_number(value.left)
            tensor = self._as_tensor(value.left) if is_number else held(left, Tightness.ATOM)
            left = f"{tensor}.to({self._precision})", Tightness.ATOM
        return joined(PYTHON, value.operator, left, right)

    def _logical(self, value: Logical) -> Piece:
        if all(map(self.is_number, value.operands)):
            return joined(PYTHON, value.operator, *map(self._piece, value.operands))
        first, *others = value.operands
        if self.is_number(first):
            # The operands that follow may be valid only if this one holds.
            rest = others[0] if len(others) == 1 else Logical(value.operator, tuple(others), value.type)
            constant = "False" if value.operator == "and" else "True"
            tensor = f"torch.tensor({constant}, {self._device})"
            text, test = self.render(rest, Tightness.OR), self.render(first, Tightness.OR)
            chosen = (text, tensor) if value.operator == "and" else (tensor, text)
            return f"{chosen[0]} if {test} else {chosen[1]}", Tightness.CHOICE
        return joined(PYTHON, "|" if value.operator == "or" else "&", *map(self._piece, value.operands))

    def _select(self, value: Select) -> Piece:
        condition, branches = value.condition, (value.then, value.otherwise)
        if self.is_number(condition):
            is_mixed = len({self.is_number(branch) for branch in branches}) > 1
            places = (Tightness.OR, Tightness.CHOICE)
            one, other = (
                self._chosen(branch, value, at_least) if is_mixed else held(piece, at_least)
                for branch, piece, at_least in zip(branches, self._operands(value), places, strict=True)
            )
            return f"{one} if {self.render(condition, Tightness.OR)} else {other}", Tightness.CHOICE
        texts = [text for text, _ in self._operands(value)]
        if all(map(self.is_number, branches)) and value.then.type.kind == "float":
            texts[0] = f"torch.tensor({texts[0]}, dtype=torch.float64, {self._device})"
        return f"torch.where({self.render(condition)}, {', '.join(texts)})", Tightness.ATOM

    def _chosen(self, branch: Value, value: Select, at_least: Tightness) -> str:
        """Render a branch; a number beside a branch that is a tensor may have to become one."""
        if not self.is_number(branch):
            return held(self._brought(branch, value.type), at_least)
        is_told = not value.type.weak and self.promotion.differs(branch, value.type)
        return self._as_tensor(branch) + (f".to({self.promotion.dtype(value.type)})" if is_told else "")

    # --- calls --------------------------------------------------------------------------------------------------------
    def _call(self, value: Call) -> str:
        name = value.function
        if name in ("maximum", "minimum"):
            return self._limit(value)
        texts = [self._argument(value, argument) for argument in value.arguments]
        if name == "softplus":
            return f"torch.logaddexp({texts[0]}, torch.zeros_like({texts[0]}))"
        if name in _FUNCTIONAL:
            return f"torch.nn.functional.{_FUNCTIONAL[name].format(texts[0])}"
        return f"torch.{name}({', '.join(texts)})"

    def _argument(self, call: Call, argument: Value) -> str:
        """Render an argument as a tensor, with a floating-point dtype if the function needs one."""
        type_ = call.argument_type
        if self.is_number(argument):
            is_second = argument is not call.arguments[0] and not self.is_number(call.arguments[0])
            if is_second and call.function in ("copysign", "fmod"):
                return self.render(argument)
            dtype = "float64" if call.type.kind == "float" else "int64"
            text = f"torch.tensor({self.render(argument)}, dtype=torch.{dtype}, {self._device})"
            is_told = type_.kind == "int" and not type_.weak and self.promotion.differs(argument, type_)
            return f"{text}.to({self.promotion.dtype(type_)})" if is_told else text
        if FUNCTIONS[call.function].result is Result.FLOAT and argument.type.kind != "float":
            return self._floating(argument, self.render(argument, Tightness.ATOM))
        return (self._brought(argument, type_) if self._is_told(call) else self._piece(argument))[0]

    def _floating(self, value: Value, text: str) -> str:
        if value.type.kind == "float":
            return text
        is_open = value.type.kind == "number" and self._precision == "torch.float32"
        return f"_floating({text})" if is_open else f"{text}.to({self._precision})"

    def _limit(self, value: Call) -> str:
        """Render ``max`` or ``min`` of two values; of a tensor and a number as ``clamp``."""
        numbers = [self.is_number(each) for each in value.arguments]
        if all(numbers) or not any(numbers):
            return f"torch.{value.function}({', '.join(self._argument(value, each) for each in value.arguments)})"
        limit, tensor = sorted(value.arguments, key=self.is_number, reverse=True)
        bound = "min" if value.function == "maximum" else "max"
        text = self._brought(tensor, value.argument_type) if self._is_told(value) else self._piece(tensor)
        return f"{held(text, Tightness.ATOM)}.clamp({bound}={self.render(limit)})"


def _is_sure(value: Binary) -> bool:
    """Whether Python's ``/`` or ``**`` of two numbers is known to equal PyTorch's, as their values are in range."""
    return value.operator == "/" and isinstance(value.right, Number) and value.right.value != 0
