"""The syntax tree of one entry of ``tensors``: ``DTYPE [DIMS] LAYOUT DEVICE VALUES``, perhaps conditional.

The grammar is ``tensors.lark``. Spans are offsets in the entry's text.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.expression import Expression

_SPAN = field(compare=False, repr=False, default=Span(0, 0))


# --- dtype ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DtypeName:
    """``float32``, a class (``float``, ``integral``, ``any``), an own set, or an argument of type ``ScalarType``."""

    name: str
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DtypeOf:
    """``x.dtype``."""

    tensor: str
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DtypePromote:
    """``promote(x, y)``: PyTorch's type promotion of tensors and scalars."""

    arguments: tuple[str, ...]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DtypeUnion:
    """``float16|bfloat16``, ``x.dtype|fp8``."""

    choices: tuple[DtypeName | DtypeOf, ...]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DtypeOr:
    """``out_dtype or x.dtype``: the first that is not ``None``."""

    choices: tuple[Dtype, ...]
    span: Span = _SPAN


Dtype: TypeAlias = DtypeName | DtypeOf | DtypePromote | DtypeUnion | DtypeOr


# --- dims -------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DimSize:
    """One dim whose size is an expression: ``n``, ``2*d``, ``8``."""

    size: Expression
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DimAny:
    """``_``: one dim of any size."""

    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DimRest:
    """``...``: any number of dims of any size."""

    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DimPack:
    """``*batch``: any number of dims, the same wherever the name occurs; or the elements of a list argument."""

    name: str
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DimBroadcast:
    """``*broadcast(a, b)``: the packs broadcast against each other."""

    packs: tuple[str, ...]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class DimDynamic:
    """``?k`` or ``?k <= bound``: a data-dependent size, known only after the kernel has run."""

    name: str
    bound: Expression | None = None
    span: Span = _SPAN


Dim: TypeAlias = DimSize | DimAny | DimRest | DimPack | DimBroadcast | DimDynamic


# --- layout, device, values -------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class LayoutWord:
    """``contiguous``, ``channels_last`` or ``any``."""

    word: Literal["contiguous", "channels_last", "any"]
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class LayoutStrides:
    """``strides[_, 1]``: a stride for each dim, ``None`` for ``_``; ``rest`` is the index of ``...`` or ``None``."""

    strides: tuple[Expression | None, ...]
    rest: int | None = None
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class LayoutLike:
    """``strides(x)``: the strides of another tensor."""

    tensor: str
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class LayoutAligned:
    """``aligned(16)``: the data pointer is a multiple of this number of bytes."""

    bytes: int
    span: Span = _SPAN


Layout: TypeAlias = LayoutWord | LayoutStrides | LayoutLike | LayoutAligned


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """``on cpu``, ``on x``, ``on x|cpu``, ``on any``, ``on device or cpu``: names joined by ``|`` or ``or``."""

    names: tuple[str, ...]
    joined_by: Literal["|", "or"] = "|"
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class ValueRange:
    """``in range(lo, hi)``: elements are in the half-open range, as Python's."""

    low: Expression
    high: Expression
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class ValueOffsets:
    """``offsets(total)``: elements rise from 0 to ``total`` and never fall."""

    total: Expression
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class ValuePermutation:
    """``permutation``: elements are 0, 1, ..., each once, in any order."""

    span: Span = _SPAN


Values: TypeAlias = ValueRange | ValueOffsets | ValuePermutation


# --- one entry --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TensorSpec:
    """``DTYPE [DIMS] LAYOUT DEVICE VALUES``. ``shapes`` holds more than one list of dims for ``[1, n]|[1, 1]``."""

    dtype: Dtype
    shapes: tuple[tuple[Dim, ...], ...]
    layouts: tuple[Layout, ...] = ()
    device: DeviceSpec | None = None
    values: Values | None = None
    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class NoTensor:
    """``None``: an optional tensor that must be ``None``."""

    span: Span = _SPAN


@dataclass(frozen=True, slots=True)
class SpecIf:
    """``SPEC if CONDITION else SPEC``."""

    then: TensorForm
    condition: Expression
    otherwise: TensorForm
    span: Span = _SPAN


TensorForm: TypeAlias = TensorSpec | NoTensor | SpecIf
