"""The program of an op with ``pointwise`` or ``reduce``: a typed tree in which every name and axis is resolved.

A program runs over the points of an iteration space whose axes are the dims that ``tensors`` names. A value is constant
along an axis that it lacks, so tensors ``[rows]`` and ``[rows, n]`` are combined by the name of the dim, without
``unsqueeze``. Reductions are computed first, in order and all along the same axes, then the values to be stored.
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
"""The kind of a value; ``number`` if it depends on the dtypes of a call whether it is an integer or floating-point."""

BinaryOperator: TypeAlias = Literal["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
UnaryOperator: TypeAlias = Literal["-", "~", "not"]
ComparisonOperator: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
ReductionFunction: TypeAlias = Literal[
    "sum", "mean", "prod", "max", "min", "argmax", "argmin", "any", "all", "logsumexp", "var"
]


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type that a value is computed in.

    All floating-point values of a program but weak ones have one type. Its dtype is the promotion
    (``torch.promote_types``) of the dtypes of the tensors in ``tensors`` and of ``dtypes``. Of kind ``float`` it is
    float32 where that promotion is no floating dtype, and where it is narrower (PyTorch's "opmath":
    ``at::opmath_type``).

    Attributes:
        kind: the kind of the value.
        tensors: arguments whose dtype takes part, in the order of the schema.
        dtypes: fixed dtypes that take part, by torch's names: of casts, of indices.
        weak: a literal, a scalar argument or a size, which takes the type of the operand it is combined with unless its
            own kind is wider (``torch.result_type``).
    """

    kind: Kind
    tensors: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of the iteration space, or the axes of a pack: ``n``, ``*batch``.

    Attributes:
        name: the dim's name; a generated one for an unnamed dim.
        is_pack: it stands for any number of axes.
        packs: the packs that are broadcast to it if it is ``*broadcast(a, b)``; else empty.
        size: the size of a single axis; ``None`` for packs.
    """

    name: str
    is_pack: bool = False
    packs: tuple[str, ...] = ()
    size: Expression | None = None


@dataclass(frozen=True, slots=True)
class Dim:
    """A dim of an operand, or its dims of a pack, and the axis that it lies along.

    Attributes:
        axis: the axis' name; ``None`` for a dim of size 1 that lies along no axis.
        is_pack: any number of dims, aligned at the right end of the pack's axes; dims of size 1 are broadcast if the
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
        start: the index of the first element along the last dim; ``None`` means 0.
        is_optional: its type is ``Tensor?``; it is read only under a condition with ``Given``.
        is_part: it is a slice, which ends at ``start`` plus the size of its last dim.
    """

    argument: str
    dims: tuple[Dim, ...]
    start: Expression | None = None
    is_optional: bool = False
    is_part: bool = False


# --- values -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Number:
    """A literal number or bool; infinities and NaN are floats."""

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
    """The index along an axis that is no pack: int64, from 0."""

    axis: str
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Given:
    """Whether an optional argument was passed, which is the same at every point."""

    argument: str
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Load:
    """The element of an operand at the current point; a floating-point one is converted at once to ``type``."""

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
    """An operation whose operands are converted to ``type`` first. ``//`` and ``%`` round down, as in Python."""

    operator: BinaryOperator
    left: Value
    right: Value
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison, its operands converted to ``operand_type`` first. Chains are split and joined by ``Logical``."""

    operator: ComparisonOperator
    left: Value
    right: Value
    operand_type: ValueType
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Logical:
    """``a and b and c`` or ``a or b or c`` of two or more bools."""

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
    """``float32(x)``: the value rounded to a dtype as by ``Tensor.to``, then converted to ``type``."""

    dtype: str
    operand: Value
    type: ValueType
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of ``opgen.model.compute.functions``; arguments are converted to ``argument_type`` first."""

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
    """A named value, computed once at each point: named by the author, or used more than once."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class Reduction:
    """``name: sum(value, n)``: one pass along the program's reduced axes.

    Sums and products of floats are computed in ``type``, those of integers and bools in int64, as in PyTorch. ``max``,
    ``min``, ``argmax`` and ``argmin`` propagate NaN; of equal elements ``argmax`` gives the first index. ``var``
    divides by the number of elements minus ``correction``.
    """

    name: str
    function: ReductionFunction
    value: Value
    type: ValueType
    correction: int = 1


@dataclass(frozen=True, slots=True)
class Store:
    """A value that is stored to an output or a written argument, rounded to its dtype.

    Attributes:
        target: the name of the output or argument.
        dims: its dims, as those of an operand.
        value: the value.
        per_row: the target lacks the reduced axes, so that it is stored once for each point of the other axes.
    """

    target: str
    dims: tuple[Dim, ...]
    value: Value
    per_row: bool = False


@dataclass(frozen=True)
class Program:
    """The computation of a kernel.

    Attributes:
        axes: the axes of the iteration space, the outermost first, reduced ones included.
        reduced: the names of the axes that reductions run along; empty without ``reduce``.
        bindings: the named values; each may use those before it, and reductions. A back end computes in each pass over
            the points those that the pass uses.
        reductions: the reductions; each may use those before it, and bindings.
        stores: the stored values, in the order of the targets.
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
