"""The resolved tensor contract of an op, and the plan that checks it.

A plan is an ordered list of steps that every target renders in its own language: fakes in Python (``torch._check``),
host checks in C++, samples in opgen itself. It does not depend on the order of the arguments: ranks are checked first,
then bare names are bound, then dims that are linear in one unknown are solved, then the rest is checked. So each
``Expression`` in a step only mentions arguments, and names that an earlier step has bound.
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
    """The promoted dtype of tensor and scalar arguments, as by ``torch.result_type``; ``None`` arguments are left out.

    Attributes:
        arguments: the arguments in the written order.
        numbers: the dtypes that the scalars among them may contribute; one takes part only if it is of a wider category
            than the tensors.
    """

    arguments: tuple[str, ...]
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DtypeArgument:
    """The value of an argument of type ``ScalarType`` or ``ScalarType?``; ``otherwise`` if that is ``None``."""

    argument: str
    otherwise: ResolvedDtype | None = None


@dataclass(frozen=True, slots=True)
class DtypeEither:
    """A union of ties, or of ties and a set of dtypes: ``x.dtype|fp8``, ``x.dtype|y.dtype``."""

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
    """A data-dependent size, ``?k<=n``; the same name in several outputs is the same size."""

    name: str
    bound: Expression | None


OutputExtent: TypeAlias = Extent | PackExtent | BroadcastExtent | DynamicExtent


# --- steps ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class CheckRank:
    """The tensor has ``rank`` dims, or if not ``exact`` at least as many.

    ``written`` is the shape for messages: ``[*batch, hidden]``.
    """

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
    """The tensor is on the device of the tensor ``like`` (of a list, its first tensor), or of a type (``"cpu"``)."""

    tensor: str
    like: str | None
    device_type: str | None = None


@dataclass(frozen=True, slots=True)
class CheckDeviceAmong:
    """``on x|cpu``: the device is that of one of the tensors, unless they are ``None``, or of one of the types."""

    tensor: str
    likes: tuple[str, ...]
    device_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckNamedDevice:
    """``on device or cpu``: an argument of type ``Device`` names the device.

    If the argument is ``None``, the device is that of the tensor ``like``, or of the type ``device_type``. A device
    without an index stands for every device of its type. ``written`` is ``device or cpu``, for messages.
    """

    tensor: str
    argument: str
    like: str | None
    device_type: str | None
    written: str


@dataclass(frozen=True, slots=True)
class BindSize:
    """``name = tensor.size(dim)``, or ``.stride(dim)``; ``dim`` is negative if it stands right of a pack."""

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

    A factor that is no literal may be 0 in a call, which is refused, or negative. An ``offset`` of ``None`` is 0.
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
    """``tensor.sizes()`` equals one of the shapes, in which ``None`` is a dim of any size."""

    tensor: str
    shapes: tuple[tuple[Extent | PackExtent | None, ...], ...]
    written: str


@dataclass(frozen=True, slots=True)
class CheckContiguous:
    """The tensor is contiguous in a memory format."""

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
    """The strides equal those of the tensor ``like`` (of a list, its first tensor) in all dims of size other than 1."""

    tensor: str
    like: str


@dataclass(frozen=True, slots=True)
class CheckAligned:
    """The data pointer is a multiple of ``bytes``; never checked on fake or meta tensors."""

    tensor: str
    bytes: int


@dataclass(frozen=True, slots=True)
class CheckCondition:
    """A condition of ``checks``; ``written`` is its text, ``message`` the author's message or ``None``."""

    condition: Expression
    written: str
    message: str | None = None


@dataclass(frozen=True, slots=True)
class CheckValues:
    """The elements have the properties ``values``, of which ``written`` is the text.

    Only checked with ``OPGEN_CHECK_VALUES=1``, and never on fake tensors.
    """

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
        check: the binding or the check.
        given: optional arguments that must all be given, else the step is skipped.
        each: whether ``check.tensor`` is a list argument whose elements are all checked. A ``BindSize`` then reads only
            element 0, and a ``CheckSize`` for all elements follows.
        when: conditions over arguments that must all hold, else the step is skipped; they are tested in this order,
            after ``given``. If several steps bind the same name, each call runs exactly one of them.
    """

    check: Check
    given: tuple[str, ...] = ()
    each: bool = False
    when: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """The contract of a fresh output, by which it is allocated.

    Attributes:
        output: the name of the output.
        extents: its dims, left to right.
        dtype: one value, never a set of several.
        device_of: the tensor argument whose device it is allocated on; ``None`` without tensor arguments.
        device_type: a fixed device type such as ``"cpu"``, or ``None``.
        device_argument: the argument of type ``Device`` that names the device, or ``None``.
        memory_format: ``contiguous`` or ``channels_last``.
        strides: explicit strides, one for each extent, or ``None``.
        strides_of: the tensor argument of the same sizes whose strides it gets, as by ``torch.empty_like``, or
            ``None``.
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
        """Whether some size is data-dependent."""
        return any(isinstance(extent, DynamicExtent) for extent in self.extents)

    @property
    def may_be_absent(self) -> bool:
        """Whether some call leaves it out."""
        return False

    @property
    def cases(self) -> tuple[OutputCase, ...]:
        """The only case, without conditions."""
        return (((), self),)


@dataclass(frozen=True, slots=True)
class OutputChoice:
    """The conditional contract of an output, ``SPEC if COND else SPEC``.

    Attributes:
        condition: the condition, over arguments and bound names.
        then: the contract if it holds; ``None`` if the output is then ``None``.
        otherwise: the contract if it doesn't hold; ``None`` if the output is then ``None``.
    """

    condition: Expression
    then: OutputForm | None
    otherwise: OutputForm | None

    @property
    def is_dynamic(self) -> bool:
        """Whether some size is data-dependent, which conditional contracts can't have."""
        return False

    @property
    def may_be_absent(self) -> bool:
        """Whether some call leaves it out."""
        return any(spec is None for _, spec in self.cases)

    @property
    def cases(self) -> tuple[OutputCase, ...]:
        """The cases: the conditions of each, in the order in which to test them, and its contract."""
        branches = ((self.condition, self.then), (opposite(self.condition), self.otherwise))
        return tuple(
            ((condition, *when), spec)
            for condition, branch in branches
            for when, spec in (branch.cases if branch is not None else (((), None),))
        )


OutputForm: TypeAlias = OutputSpec | OutputChoice

OutputCase: TypeAlias = tuple[tuple[Expression, ...], OutputSpec | None]


@dataclass(frozen=True, slots=True)
class TensorContract:
    """The tensor contract of one op.

    Attributes:
        steps: the plan, in an order in which it can be run.
        outputs: the fresh tensor outputs with a contract, by name.
        packs: the bound names that are packs; every other bound name is a single size.
        values: tensor -> the declared properties of its elements; for arguments there is a ``CheckValues`` as well.
        any_dtype: the tensor arguments that may have any dtype.
        unsupported: infos about valid parts of the contract that are not represented here, as no target can render
            them.
    """

    steps: tuple[Step, ...] = ()
    outputs: Mapping[str, OutputForm] = field(default_factory=dict)
    packs: frozenset[str] = frozenset()
    values: Mapping[str, Values] = field(default_factory=dict)
    any_dtype: frozenset[str] = frozenset()
    unsupported: tuple[Diagnostic, ...] = ()

    @property
    def output_extents(self) -> tuple[OutputExtent, ...]:
        """The dims of all outputs in all their cases."""
        cases = (spec for form in self.outputs.values() for _, spec in form.cases)
        return tuple(extent for spec in cases if spec is not None for extent in spec.extents)
