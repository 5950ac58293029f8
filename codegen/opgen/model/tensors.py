"""The tensor contract of an op, resolved, and the plan that checks it.

A plan is an ordered list of steps that every target renders in its own language: fakes in Python (``torch._check``),
host checks in C++, samples in opgen itself. The order of the arguments does not matter to it: ranks first, then bare
names, then dims that are linear in one unknown, then what is left to check. So each ``Expression`` in a step only
mentions names that an earlier step bound, or arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from opgen.diagnostics import Diagnostic
from opgen.records import dataclass
from opgen.spec.expression import Expression, opposite
from opgen.spec.tensor_spec import Values


# --- values -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DtypeSet:
    """An explicit set of dtypes, by torch's names without ``torch.``, in a fixed order: narrow to wide."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DtypeLike:
    """The dtype of another tensor argument."""

    tensor: str


@dataclass(frozen=True, slots=True)
class DtypePromoted:
    """PyTorch's promotion over tensor and number arguments, as ``torch.result_type``; absent ones are left out.

    Attributes:
        arguments: in the order that is written.
        numbers: the dtypes that those bring which are no tensors: one of them counts where it is of a wider kind than the
            tensors'.
    """

    arguments: tuple[str, ...]
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DtypeArgument:
    """The value of an argument of type ``ScalarType`` or ``ScalarType?``; ``otherwise`` where it is ``None``."""

    argument: str
    otherwise: ResolvedDtype | None = None


@dataclass(frozen=True, slots=True)
class DtypeEither:
    """Ties joined with each other or with a set: ``x.dtype|fp8``, ``x.dtype|y.dtype``."""

    ties: tuple[DtypeLike, ...]
    names: tuple[str, ...] = ()


ResolvedDtype: TypeAlias = DtypeSet | DtypeLike | DtypePromoted | DtypeArgument | DtypeEither


@dataclass(frozen=True, slots=True)
class Extent:
    """One dim of an output: its size as an expression over bound names."""

    size: Expression


@dataclass(frozen=True, slots=True)
class PackExtent:
    """The dims of a bound pack, or the elements of a list argument (``is_argument``)."""

    name: str
    is_argument: bool = False


@dataclass(frozen=True, slots=True)
class BroadcastExtent:
    """Packs broadcast against each other."""

    packs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DynamicExtent:
    """A size that only the kernel knows; one name is one size over all outputs."""

    name: str
    bound: Expression | None


OutputExtent: TypeAlias = Extent | PackExtent | BroadcastExtent | DynamicExtent


# --- steps ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class CheckRank:
    """The tensor has ``rank`` dims, or at least so many; ``written`` is ``[*batch, hidden]``, for messages."""

    tensor: str
    rank: int
    exact: bool
    written: str = ""


@dataclass(frozen=True, slots=True)
class CheckDtype:
    """The dtype is in a set, is that of another tensor, or is named by an argument."""

    tensor: str
    dtype: ResolvedDtype


@dataclass(frozen=True, slots=True)
class CheckDevice:
    """All tensors of one group share a device: ``tensor`` against ``like``, or against a device type (``"cpu"``).

    A list as ``like`` means its first tensor.
    """

    tensor: str
    like: str | None
    device_type: str | None = None


@dataclass(frozen=True, slots=True)
class CheckDeviceAmong:
    """``on x|cpu``: the device is that of one of the tensors, absent ones left out, or of one of the types."""

    tensor: str
    likes: tuple[str, ...]
    device_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckNamedDevice:
    """``on device or cpu``: an argument of type ``Device`` names the device; where it is ``None``, ``otherwise`` does.

    A device without an index stands for all of its type. ``written`` is ``device or cpu``, for messages.
    """

    tensor: str
    argument: str
    like: str | None
    device_type: str | None
    written: str


@dataclass(frozen=True, slots=True)
class BindSize:
    """``name = tensor.size(dim)``, or ``.stride(dim)``; ``dim`` is negative where it stands right of a pack."""

    name: str
    tensor: str
    dim: int
    of: Literal["size", "stride"] = "size"


@dataclass(frozen=True, slots=True)
class BindPack:
    """``name = tensor.sizes()[lead : rank - trail]``."""

    name: str
    tensor: str
    lead: int
    trail: int


@dataclass(frozen=True, slots=True)
class SolveSize:
    """``name = (tensor.size(dim) - offset) / factor``, where the division must be exact and the result >= 0.

    A factor that is no number may turn out to be 0, or negative; 0 is refused.
    """

    name: str
    tensor: str
    dim: int
    offset: Expression | None
    factor: Expression
    written: str
    """The dim as its author wrote it, for messages."""


@dataclass(frozen=True, slots=True)
class CheckSize:
    """``tensor.size(dim) == size``."""

    tensor: str
    dim: int
    size: Expression
    written: str


@dataclass(frozen=True, slots=True)
class CheckPack:
    """``tensor.sizes()[lead : rank - trail]`` equals a bound pack, a broadcast of packs, or a list argument."""

    tensor: str
    lead: int
    trail: int
    pack: PackExtent | BroadcastExtent


@dataclass(frozen=True, slots=True)
class CheckShapes:
    """``tensor.sizes()`` are those of one of the shapes; in them, ``None`` is a dim of any size."""

    tensor: str
    shapes: tuple[tuple[Extent | PackExtent | None, ...], ...]
    written: str


@dataclass(frozen=True, slots=True)
class CheckContiguous:
    """The tensor is contiguous, in the memory format named."""

    tensor: str
    memory_format: Literal["contiguous", "channels_last"]


@dataclass(frozen=True, slots=True)
class CheckStride:
    """``tensor.stride(dim) == stride``."""

    tensor: str
    dim: int
    stride: Expression


@dataclass(frozen=True, slots=True)
class CheckStridesLike:
    """The strides are those of another tensor, of a list's first one, wherever a dim has more than one element."""

    tensor: str
    like: str


@dataclass(frozen=True, slots=True)
class CheckAligned:
    """The data pointer is a multiple of ``bytes``; never checked on fake or meta tensors."""

    tensor: str
    bytes: int


@dataclass(frozen=True, slots=True)
class CheckCondition:
    """A condition of ``checks``; ``message`` is the author's, else ``None``; ``written`` the condition as written."""

    condition: Expression
    written: str
    message: str | None = None


@dataclass(frozen=True, slots=True)
class CheckValues:
    """The elements are as ``values`` says, ``written`` by its author so; only checked on request, never on fakes."""

    tensor: str
    values: Values
    written: str


Check: TypeAlias = (
    CheckRank
    | CheckDtype
    | CheckDevice
    | CheckDeviceAmong
    | CheckNamedDevice
    | BindSize
    | BindPack
    | SolveSize
    | CheckSize
    | CheckPack
    | CheckShapes
    | CheckContiguous
    | CheckStride
    | CheckStridesLike
    | CheckAligned
    | CheckCondition
    | CheckValues
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan.

    Attributes:
        check: what is bound or checked.
        given: optional arguments that must all be given, else the step is left out.
        each: whether ``check.tensor`` is a list argument whose elements are all checked; names that differ between
            elements are never bound by such a step (its ``BindSize`` reads element 0, a ``CheckSize`` follows).
        when: conditions over arguments that must all hold, else the step is left out; they are asked in this order,
            after ``given``. A name that several steps bind is bound by one of them in every call.
    """

    check: Check
    given: tuple[str, ...] = ()
    each: bool = False
    when: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """How one fresh output is made.

    Attributes:
        output: the name of the output.
        extents: its dims, left to right.
        dtype: one value, never a set of several.
        device_of: the tensor argument whose device it is made on; ``None`` with no tensor arguments.
        device_type: fixed device such as ``"cpu"``, or ``None``.
        device_argument: argument of type ``Device`` that names it, or ``None``.
        memory_format: ``contiguous`` or ``channels_last``.
        strides: explicit strides, one an extent, or ``None``.
        strides_of: the tensor argument of the same sizes that it is laid out as by ``torch.empty_like``, or ``None``.
    """

    output: str
    extents: tuple[OutputExtent, ...]
    dtype: ResolvedDtype
    device_of: str | None
    device_type: str | None = None
    device_argument: str | None = None
    memory_format: Literal["contiguous", "channels_last"] = "contiguous"
    strides: tuple[Expression, ...] | None = None
    strides_of: str | None = None

    @property
    def is_dynamic(self) -> bool:
        """Whether some size is known only after the kernel has run."""
        return any(isinstance(extent, DynamicExtent) for extent in self.extents)

    @property
    def may_be_absent(self) -> bool:
        """Whether some call leaves it out."""
        return False

    @property
    def ways(self) -> tuple[OutputWay, ...]:
        """The only way in which it is made."""
        return (((), self),)


@dataclass(frozen=True, slots=True)
class OutputChoice:
    """An output that is made in one way or another, by a condition; ``None`` where it is absent.

    Attributes:
        condition: over arguments and bound names.
    """

    condition: Expression
    then: OutputForm | None
    otherwise: OutputForm | None

    @property
    def is_dynamic(self) -> bool:
        """Whether some size is known only after the kernel has run: never by condition."""
        return False

    @property
    def may_be_absent(self) -> bool:
        """Whether some call leaves it out."""
        return any(spec is None for _, spec in self.ways)

    @property
    def ways(self) -> tuple[OutputWay, ...]:
        """Every way in which it is made, each with the conditions that choose it, in an order in which to ask them."""
        branches = ((self.condition, self.then), (opposite(self.condition), self.otherwise))
        return tuple(
            ((condition, *when), spec)
            for condition, branch in branches
            for when, spec in (branch.ways if branch is not None else (((), None),))
        )


OutputForm: TypeAlias = OutputSpec | OutputChoice

OutputWay: TypeAlias = tuple[tuple[Expression, ...], OutputSpec | None]


@dataclass(frozen=True, slots=True)
class TensorContract:
    """The tensor contract of one op.

    Attributes:
        steps: the plan, in an order in which it can be run.
        outputs: the fresh tensor outputs that can be allocated, by name; one that is missing has no contract.
        packs: the names that stand for a run of dims; every other bound name is one size.
        values: what is known about the elements of a tensor, by its name; a ``CheckValues`` for what a call hands in.
        any_dtype: the tensor arguments that may have every dtype.
        unsupported: what was written and is valid, but is in none of these, since no target can render it yet.
    """

    steps: tuple[Step, ...] = ()
    outputs: Mapping[str, OutputForm] = field(default_factory=dict)
    packs: frozenset[str] = frozenset()
    values: Mapping[str, Values] = field(default_factory=dict)
    any_dtype: frozenset[str] = frozenset()
    unsupported: tuple[Diagnostic, ...] = ()

    @property
    def output_extents(self) -> tuple[OutputExtent, ...]:
        """The dims of all outputs, in every way in which they are made."""
        ways = (spec for form in self.outputs.values() for _, spec in form.ways)
        return tuple(extent for spec in ways if spec is not None for extent in spec.extents)
