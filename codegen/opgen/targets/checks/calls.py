"""Each check as the call of a method of ``Checker``: one name and one order of operands for Python and C++.

The methods, with the texts of the messages, are in ``templates/python/checks.py.j2`` and
``templates/cpp/checks/checker.h.j2``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from opgen.model.op import Op
from opgen.model.tensors import (
    BroadcastExtent,
    CheckAligned,
    CheckContiguous,
    CheckDevice,
    CheckDeviceAmong,
    CheckDtype,
    CheckNamedDevice,
    CheckPack,
    CheckRank,
    CheckShapes,
    CheckSize,
    CheckStride,
    CheckStridesLike,
    CheckValues,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    Extent,
    PackExtent,
    ResolvedDtype,
    SolveSize,
)
from opgen.records import dataclass
from opgen.spec.expression import Constant, Expression, Name
from opgen.spec.tensor_spec import ValueOffsets, ValuePermutation, ValueRange
from opgen.targets.checks.branches import PlanGuard
from opgen.targets.checks.origins import Origins
from opgen.targets.checks.plan import AnyCheck, CheckBroadcast, CheckExtent, CheckPart, CheckSizes, PlanStep
from opgen.targets.expressions import render_written
from opgen.targets.expressions.questions import names_in


# --- operands ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Argument:
    """A tensor argument; rendered as two operands, its name for messages (``"x"``) and its value (``x``)."""

    name: str


@dataclass(frozen=True, slots=True)
class Run:
    """A list of sizes: those of a bound pack (``*batch``), of broadcast packs, or of an ``int[]`` argument."""

    extent: PackExtent | BroadcastExtent


@dataclass(frozen=True, slots=True)
class Dtypes:
    """Some dtypes, by torch's names: operands in Python, template arguments in C++."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dtype:
    """One dtype, which may have to be computed from the arguments: ``x.dtype``, ``promote(x, y)``."""

    dtype: ResolvedDtype


@dataclass(frozen=True, slots=True)
class Ties:
    """The names of the tensors that a tensor is compared with; those that are ``None`` in a call are skipped."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeviceType:
    """A device type by torch's name: ``cpu``, ``cuda``."""

    name: str


@dataclass(frozen=True, slots=True)
class Device:
    """The device that an argument of type ``Device`` asks for; if it is ``None``, that of a tensor, or a fixed type.

    The fields have the names of the fields of ``OutputSpec``, so that one renderer takes either.
    """

    device_argument: str
    device_of: str | None
    device_type: str | None


@dataclass(frozen=True, slots=True)
class Shapes:
    """Whole shapes, in which ``None`` is a dim of any size."""

    shapes: tuple[tuple[Extent | PackExtent | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Values:
    """The values that a message shows: pairs of the text that names a value and the expression that reads it."""

    named: tuple[tuple[str, Expression], ...]


Operand: TypeAlias = (
    str | int | Expression | Argument | Run | Dtypes | Dtype | Ties | DeviceType | Device | Shapes | Values
)


@dataclass(frozen=True, slots=True)
class CheckerCall:
    """A call ``check.METHOD(OPERANDS)`` in generated code; ``check`` is the variable that holds the ``Checker``."""

    method: str
    operands: tuple[Operand, ...]

    @property
    def skips(self) -> frozenset[str]:
        """The arguments that may be ``None`` in the call: the method then checks nothing."""
        named = (operand.name for operand in self.operands if isinstance(operand, Argument))
        return frozenset(named).union(*(operand.names for operand in self.operands if isinstance(operand, Ties)))


@dataclass(frozen=True)
class CheckerCalls:
    """The calls for the plan of one op."""

    op: Op

    @cached_property
    def origins(self) -> Origins:
        """Where in a call each checked value is read from, for messages."""
        return Origins(self.op)

    def call(self, check: AnyCheck) -> CheckerCall:  # noqa: C901, PLR0911, PLR0912 - one case a check
        """Return the call that does a check, which must not be a ``BindSize`` or ``BindPack``: those check nothing."""
        match check:
            case CheckRank(tensor, rank, exact, written):
                return _call("rank" if exact else "rank_at_least", Argument(tensor), rank, written)
            case CheckDtype(tensor, dtype):
                return _dtype(tensor, dtype)
            case CheckDevice(tensor, None, device_type):
                return _call("device_type", Argument(tensor), DeviceType(device_type or "cpu"))
            case CheckDevice(tensor, str() as like):
                return _call("same_device", Argument(tensor), Argument(like))
            case CheckDeviceAmong(tensor, likes, types):
                return _call("device_among", Argument(tensor), Ties(likes), *map(DeviceType, types))
            case CheckNamedDevice(tensor, argument, like, device_type, written):
                return _call("device_is", Argument(tensor), Device(argument, like, device_type), written)
            case CheckSize(tensor, dim, size, written):
                return _call("size", Argument(tensor), dim, size, self.origins.size(size, written))
            case SolveSize(tensor=tensor, dim=dim, offset=offset, factor=factor):
                known = Values(self.origins.values(factor, *(() if offset is None else (offset,))))
                written = f"{check.written} with {check.name} >= 0"
                rest = () if offset is None and not known.named else (offset or Constant(0), known)
                return _call("solve", Argument(tensor), dim, written, factor, *rest)
            case CheckPack(tensor, 0, 0, pack):
                return _call("shape", Argument(tensor), Run(pack), self.origins.pack(pack))
            case CheckPack(tensor, lead, trail, pack):
                return _call("sizes", Argument(tensor), lead, trail, Run(pack), self.origins.pack(pack))
            case CheckShapes(tensor, shapes, written):
                sizes = [extent.size for shape in shapes for extent in shape if isinstance(extent, Extent)]
                packs = [Name(extent.name) for shape in shapes for extent in shape if isinstance(extent, PackExtent)]
                known = Values(self.origins.values(*sizes, *packs))
                return _call("shape_among", Argument(tensor), written, Shapes(shapes), known)
            case CheckContiguous(tensor, memory_format):
                return _call(memory_format, Argument(tensor))
            case CheckStride(tensor, dim, stride):
                return _call("stride", Argument(tensor), dim, stride, self.origins.size(stride))
            case CheckStridesLike(tensor, like):
                return _call("same_strides", Argument(tensor), Argument(like))
            case CheckAligned(tensor, count):
                return _call("aligned", Argument(tensor), count)
            case CheckValues(tensor, ValueRange(low, high), written):
                known = Values(self.origins.values(low, high))
                return _call("in_range", Argument(tensor), low, high, written, known)
            case CheckValues(tensor, ValueOffsets(total), written):
                return _call("offsets", Argument(tensor), total, written, Values(self.origins.values(total)))
            case CheckValues(tensor, ValuePermutation(), _):
                return _call("permutation", Argument(tensor))
            case CheckPart():
                return self._condition(check)
            case CheckBroadcast(packs):
                return _call("broadcast", Values(tuple((pack, Name(pack)) for pack in packs)))
            case CheckExtent(output, dim, size):
                known = Values(() if isinstance(size, Name) else self.origins.values(size))
                return _call("output_size", output, dim, size, render_written(size), known)
            case CheckSizes(argument):
                return _call("not_negative", Argument(argument))
        raise AssertionError(f"{check} is no check, or is checked in parts")

    def _condition(self, part: CheckPart) -> CheckerCall:
        read = (*part.before, part.condition)
        operands = (part.whole.written, Values(self.origins.values(*read)), part.whole.message or "")
        subjects = frozenset[str]().union(*map(names_in, self.origins.leaves(*read)))
        if len(subjects) == 1 and subjects <= self.op.argument.keys():
            return _call("argument", part.condition, min(subjects), *operands)
        return _call("condition", part.condition, *operands)

    def guard(self, step: PlanStep) -> PlanGuard:
        """Return the condition of a step, but for tests for ``None`` that the method or a condition makes itself."""
        guard = PlanGuard(step.given, step.when, step.on_request)
        if step.is_bind or step.when:
            return guard
        call = self.call(step.check)
        read = frozenset[str]().union(*map(_names, call.operands))
        is_plain = call.skips.issuperset(step.given) and not any(self._may_be_absent(name) for name in read)
        return replace(guard, given=()) if is_plain else guard

    def _may_be_absent(self, name: str) -> bool:
        """Whether a name is an optional argument, or a size that is bound only when an optional argument is given."""
        bound = [step for step in self.op.tensors.steps if getattr(step.check, "name", None) == name]
        return (
            any(step.given for step in bound)
            if bound
            else name in self.op.argument and self.op.argument[name].is_optional
        )


def _call(method: str, *operands: Operand) -> CheckerCall:
    """Make a call; empty operands at its end are left out, as the method has defaults for them."""
    count = len(operands)
    while operands[count - 1] in ("", Values(())):
        count -= 1
    return CheckerCall(method, operands[:count])


def _dtype(tensor: str, dtype: ResolvedDtype) -> CheckerCall:
    match dtype:
        case DtypeSet(names):
            return _call("dtype", Argument(tensor), Dtypes(names))
        case DtypeLike(like):
            return _call("same_dtype", Argument(tensor), Argument(like))
        case DtypeEither(ties, names):
            return _call("dtype_among", Argument(tensor), Ties(tuple(tie.tensor for tie in ties)), Dtypes(names))
        case DtypePromoted(arguments):
            written = f"promote({', '.join(arguments)})"
        case DtypeArgument(written):
            pass
    return _call("dtype_is", Argument(tensor), Dtype(dtype), written)


def _names(operand: Operand) -> frozenset[str]:
    match operand:
        case Run(PackExtent(name)):
            return frozenset({name})
        case Run(BroadcastExtent(packs)):
            return frozenset(packs)
        case (
            Run()
            | str()
            | int()
            | Argument()
            | Dtypes()
            | Dtype()
            | Ties()
            | DeviceType()
            | Device()
            | Shapes()
            | Values()
        ):
            return frozenset()
    return names_in(operand)
