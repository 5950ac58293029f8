"""The program of an op whose kernel is an expression, every name, axis and type resolved.

A program runs over the points of an iteration space, whose axes are dims that ``tensors`` names. A value that lacks an
axis is the same all along it, so a tensor ``[rows]`` meets one ``[rows, n]`` by the name of its dim, and nothing has to
be unsqueezed. Reductions run first, in their order, each along the same axes; then what is stored is computed.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import Literal, TypeAlias

from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.expression import Expression

_SPAN = field(compare=False, repr=False, default=Span(0, 0))

Kind: TypeAlias = Literal["bool", "int", "float", "number"]
"""``number``: of an argument that may be an integer or a floating-point one."""

BinaryOperator: TypeAlias = Literal["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
UnaryOperator: TypeAlias = Literal["-", "~", "not"]
ComparisonOperator: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
ReductionFunction: TypeAlias = Literal[
    "sum", "mean", "prod", "max", "min", "argmax", "argmin", "any", "all", "logsumexp", "var"
]


@dataclass(frozen=True, slots=True)
class ValueType:
    """What a value is computed in.

    All floating-point values of a program but weak ones have one type. Its dtype is the promotion (``torch.promote_types``) of the dtypes of the tensors in ``tensors`` and of ``dtypes``. Of
    kind ``float`` it is float32 where that promotion is no floating dtype, and where it is narrower (PyTorch's "opmath":
    ``at::opmath_type``).

    Attributes:
        tensors: arguments whose dtype takes part, in the order of the schema.
        dtypes: fixed dtypes that take part, by torch's names: of casts, of indices.
        weak: a number that takes the type of what it meets, unless its kind is the wider one: a literal, a scalar
            argument, a size (``torch.result_type``).
    """

    kind: Kind
    tensors: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of the iteration space, or the axes of a pack: ``n``, ``*batch``.

    Attributes:
        name: the dim's name; of an unnamed dim one that is made up.
        is_pack: any number of axes.
        packs: the packs that are broadcast to it, where it is ``*broadcast(a, b)``; else empty.
        size: of a dim; ``None`` for packs.
    """

    name: str
    is_pack: bool = False
    packs: tuple[str, ...] = ()
    size: Expression | None = None


@dataclass(frozen=True, slots=True)
class Dim:
    """A dim of an operand, or a run of them (a pack), and the axis that it lies along.

    Attributes:
        axis: the axis' name; ``None`` for a dim of size 1 that lies along none.
        is_pack: a run of dims, aligned at the right end of the axes of the pack, those of size 1 broadcast if the
            axis has ``packs``.
    """

    axis: str | None
    is_pack: bool = False


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor argument as it is read: whole, or ``x[..., start:]`` along its last dim.

    Attributes:
        argument: the name in the schema.
        dims: its dims from the left.
        start: the first element along the last dim; ``None``: 0.
        is_optional: an argument ``Tensor?``. It is read only where ``Given`` says so.
        is_part: a slice, which ends where ``start`` and the size of its last dim say.
    """

    argument: str
    dims: tuple[Dim, ...]
    start: Expression | None = None
    is_optional: bool = False
    is_part: bool = False


# --- values -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Number:
    """A number or a truth value; infinities and NaN are floats."""

    value: bool | int | float
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar argument: ``bool``, ``int``, ``SymInt``, ``float``, ``Scalar``, or optional of these (see ``Given``)."""

    argument: str
    type: ValueType
    is_optional: bool = False
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class SizeOf:
    """A size of the contract, or an expression over sizes, as an integer."""

    size: Expression
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Index:
    """The place along an axis that is no pack: int64, from 0."""

    axis: str
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Given:
    """Whether an optional argument was passed: the same at every point."""

    argument: str
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Load:
    """The element of an operand at this point; of a floating dtype it is widened at once to what is computed in."""

    operand: Operand
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Named:
    """The value of a ``Binding`` or the result of a ``Reduction``."""

    name: str
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Unary:
    """``-x``, ``~x``, ``not x``."""

    operator: UnaryOperator
    operand: Value
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Binary:
    """An operation whose operands are taken to ``type`` first. ``//`` and ``%`` round down, as in Python."""

    operator: BinaryOperator
    left: Value
    right: Value
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison whose operands are taken to ``operand_type`` first. Chains are split and joined by ``Logical``."""

    operator: ComparisonOperator
    left: Value
    right: Value
    operand_type: ValueType
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Logical:
    """``a and b``, ``a or b`` of truth values, two or more."""

    operator: Literal["and", "or"]
    operands: tuple[Value, ...]
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Select:
    """``a if condition else b`` and ``where(condition, a, b)``, point by point."""

    condition: Value
    then: Value
    otherwise: Value
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Cast:
    """``float32(x)``: the value rounded to a dtype as ``Tensor.to`` does, then computed with as ``type``."""

    dtype: str
    operand: Value
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Call:
    """A function of ``opgen.model.compute.functions``, its arguments taken to ``argument_type`` first."""

    function: str
    arguments: tuple[Value, ...]
    argument_type: ValueType
    type: ValueType
    span: Span = _SPAN


Value: TypeAlias = (
    Number | Scalar | SizeOf | Index | Given | Load | Named | Unary | Binary | Compare | Logical | Select | Cast | Call
)


# --- the program ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Binding:
    """A value that has a name, computed once a point: what an author named, or what is used more than once."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class Reduction:
    """``name: sum(value, n)``: one pass along the program's reduced axes.

    Sums and products of floats are computed in ``type``; those of integers and truth values in int64, as in PyTorch. ``max``
    and the like propagate NaN; ``argmax`` is the first place. ``var`` divides by the count less ``correction``.
    """

    name: str
    function: ReductionFunction
    value: Value
    type: ValueType
    correction: int = 1


@dataclass(frozen=True, slots=True)
class Store:
    """What is written to an output or a written argument, rounded to its dtype.

    Attributes:
        target: the output's or the argument's name.
        dims: its dims, as an operand's.
        per_row: it lacks the reduced axes: stored once for each point of the other axes.
    """

    target: str
    dims: tuple[Dim, ...]
    value: Value
    per_row: bool = False


@dataclass(frozen=True)
class Program:
    """What a kernel computes.

    Attributes:
        axes: of the iteration space, the outermost first, reduced ones included.
        reduced: names of the axes that reductions run along; empty for a program of ``pointwise`` alone.
        bindings: in order; each mentions those before it, and reductions. Which are needed in a pass follows from use.
        reductions: in order; each may mention those before it.
        stores: in the order of the outputs.
    """

    axes: tuple[Axis, ...]
    reduced: tuple[str, ...]
    bindings: tuple[Binding, ...]
    reductions: tuple[Reduction, ...]
    stores: tuple[Store, ...]

    @cached_property
    def axis(self) -> dict[str, Axis]:
        """The axes by name."""
        return {axis.name: axis for axis in self.axes}
