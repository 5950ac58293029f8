"""The words of every refusal: op, argument, what was expected, what was given.

One message serves Python and C++: texts, and between them slots for values that are known only at the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from opgen.model.op import Op
from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
    CheckAligned,
    CheckCondition,
    CheckContiguous,
    CheckDevice,
    CheckDtype,
    CheckPack,
    CheckRank,
    CheckSize,
    CheckStride,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    PackExtent,
    ResolvedDtype,
    SolveSize,
)
from opgen.spec.expression import Call, Constant, Expression, Item, Name, Size
from opgen.spec.walk import children
from opgen.targets.checks.plan import CheckBroadcast, CheckExtent, CheckPart, CheckSizes, PlanStep
from opgen.targets.expressions import render_written
from opgen.targets.expressions.questions import names_in


# --- slots ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Value:
    """The value of an expression."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class Element:
    """The place of the checked tensor in its list."""


@dataclass(frozen=True, slots=True)
class Trait:
    """Something of the checked tensor, or of the tensor argument ``of``; ``number`` is a dim, or a count of bytes."""

    what: Literal["rank", "shape", "strides", "dtype", "device", "size", "stride", "misalignment"]
    number: int = 0
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """The sizes of the checked tensor without ``lead`` dims on the left and ``trail`` on the right."""

    lead: int
    trail: int


@dataclass(frozen=True, slots=True)
class Pack:
    """The sizes of a bound pack, of packs broadcast, or of a list argument."""

    extent: PackExtent | BroadcastExtent


@dataclass(frozen=True, slots=True)
class DtypeOf:
    """The dtype that a tie asks for."""

    dtype: ResolvedDtype


Slot: TypeAlias = Value | Element | Trait | Run | Pack | DtypeOf
Message: TypeAlias = tuple[str | Slot, ...]
"""Texts and slots, in order."""

SizeCheck: TypeAlias = SolveSize | CheckSize | CheckPack
TensorCheck: TypeAlias = CheckRank | CheckDtype | CheckDevice | CheckContiguous | CheckStride | CheckAligned | SizeCheck


Parts: TypeAlias = Iterator[str | Slot]


def message(op: Op, step: PlanStep) -> Message:
    """Return what is said when a step refuses a call."""
    match step.check:
        case CheckPart():
            parts = _condition(op, step.check)
        case CheckBroadcast(packs):
            parts = _broadcast(packs)
        case CheckExtent():
            parts = _extent(op, step.check)
        case CheckSizes(argument):
            parts = _list_sizes(argument)
        case BindSize() | BindPack() | CheckCondition():
            raise AssertionError("a name is bound without a check, a condition is checked in parts")
        case check:
            parts = _tensor(op, check, each=step.each)
    return _joined([f"{op.qualified_name}: ", *parts])


def _joined(parts: Iterable[str | Slot]) -> Message:
    """Join neighbouring texts; a literal is text already."""
    joined: list[str | Slot] = []
    for each in parts:
        part = str(each.expression.value) if isinstance(each, Value) and isinstance(each.expression, Constant) else each
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)


# --- beyond one tensor ------------------------------------------------------------------------------------------------
def _condition(op: Op, check: CheckPart) -> Parts:
    leaves = {leaf: text for part in (*check.before, check.condition) for leaf, text in _leaves(op, part)}
    subjects = frozenset[str]().union(*map(names_in, leaves))
    if len(subjects) == 1 and subjects <= op.argument.keys():
        yield f"argument '{min(subjects)}': "
    message_, written = check.whole.message, check.whole.written
    yield f"{message_} (expected {written}" if message_ else f"expected {written}"
    yield from _listing(", got ", leaves)
    if message_:
        yield ")"


def _broadcast(packs: tuple[str, ...]) -> Parts:
    yield "expected sizes that broadcast"
    for place, pack in enumerate(packs):
        yield f"{' and' if place else ', got'} {pack} = "
        yield Pack(PackExtent(pack))


def _extent(op: Op, check: CheckExtent) -> Parts:
    yield f"output '{check.output}': expected a size >= 0 at dim {check.dim}, got {render_written(check.size)} = "
    yield Value(check.size)
    if not isinstance(check.size, Name):
        yield from _listing(" for ", dict(_leaves(op, check.size)))


def _list_sizes(argument: str) -> Parts:
    yield f"argument '{argument}': expected sizes >= 0, got "
    yield Pack(PackExtent(argument, is_argument=True))


# --- one tensor -------------------------------------------------------------------------------------------------------
def _tensor(op: Op, check: TensorCheck, *, each: bool) -> Parts:
    yield f"argument '{check.tensor}"
    if each:
        yield "["
        yield Element()
        yield "]"
    yield "': expected "
    match check:
        case CheckRank(_, rank, exact, written):
            at_least = "" if exact else "at least "
            dims = f"{rank} dim" if rank == 1 else f"{rank} dims"
            yield f"{at_least}{dims}{' ' if written else ''}{written}, got a "
            yield Trait("rank")
            yield "-dim tensor of shape "
            yield Trait("shape")
        case CheckDtype(_, dtype):
            yield from _dtype(dtype)
            yield ", got "
            yield Trait("dtype")
        case CheckDevice(_, like, device_type):
            if like is None:
                yield f"device {device_type}"
            else:
                yield f"{like}.device ("
                yield Trait("device", of=like)
                yield ")"
            yield ", got "
            yield Trait("device")
        case CheckContiguous(_, memory_format):
            yield f"a {memory_format} tensor, got strides "
            yield Trait("strides")
            yield " for shape "
            yield Trait("shape")
        case CheckStride(_, dim, stride):
            yield "stride "
            yield Value(stride)
            yield f" at dim {dim}{_origin(op, stride)}, got strides "
            yield Trait("strides")
            yield " for shape "
            yield Trait("shape")
        case CheckAligned(_, count):
            yield f"data aligned to {count} bytes, got an address "
            yield Trait("misalignment", count)
            yield " bytes beyond"
        case _:
            yield from _sizes(op, check)


def _sizes(op: Op, check: SizeCheck) -> Parts:
    match check:
        case SolveSize(name, _, dim, offset, factor, written):
            yield f"a size {written} with {name} >= 0 at dim {dim}"
            known = {**dict(_leaves(op, factor)), **(dict(_leaves(op, offset)) if offset else {})}
            yield from _listing(" for ", known)
            yield ", got "
            yield Trait("size", dim)
        case CheckSize(_, dim, size, written):
            yield "size "
            yield Value(size)
            yield f" at dim {dim}{_origin(op, size, written)}, got "
            yield Trait("size", dim)
        case CheckPack(_, lead, trail, pack):
            yield "sizes "
            yield Pack(pack)
            where = f" in dims [{lead or ''}:{-trail or ''}]" if lead or trail else ""
            yield f"{where} ({_pack_origin(op, pack)}), got "
            yield Run(lead, trail)


def _dtype(dtype: ResolvedDtype) -> Parts:
    match dtype:
        case DtypeSet(names):
            yield _either(names)
        case DtypeLike(tensor):
            yield f"{tensor}.dtype ("
            yield DtypeOf(dtype)
            yield ")"
        case DtypeEither(like, names):
            yield f"{like.tensor}.dtype ("
            yield DtypeOf(like)
            yield f"){', ' if len(names) > 1 else ' or '}{_either(names)}"
        case DtypePromoted(arguments):
            yield f"promote({', '.join(arguments)}) ("
            yield DtypeOf(dtype)
            yield ")"
        case DtypeArgument(argument):
            yield f"{argument} ("
            yield DtypeOf(dtype)
            yield ")"


def _either(words: tuple[str, ...]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


# --- where expected values come from ----------------------------------------------------------------------------------
def _bound_at(op: Op, name: str) -> str:
    """Return ``x.size(-1)`` for a size that was read there, else the empty string."""
    for step in op.tensors.steps:
        match step.check:
            case BindSize(bound, tensor, dim) if bound == name:
                return f"{tensor}{'[0]' if step.each else ''}.size({dim})"
            case BindPack(bound, tensor, lead, trail) if bound == name:
                run = f"[{lead or ''}:{-trail or ''}]" if lead or trail else ""
                return f"{tensor}{'[0]' if step.each else ''}.shape{run}"
    return ""


def _origin(op: Op, size: Expression, written: str = "") -> str:
    """Say in parentheses where an expected size comes from; a literal comes from nowhere else."""
    match size:
        case Constant():
            return ""
        case Name(name):
            place = _bound_at(op, name)
            return f" ({name}, as in {place})" if place else f" ({name})"
    return f" ({written or render_written(size)})"


def _pack_origin(op: Op, pack: PackExtent | BroadcastExtent) -> str:
    match pack:
        case BroadcastExtent(packs):
            return f"broadcast({', '.join(packs)})"
        case PackExtent(name):
            place = _bound_at(op, name)
            return f"*{name}, as in {place}" if place else f"*{name}"


def _leaves(op: Op, expression: Expression) -> Iterator[tuple[Expression, str]]:
    """Yield what an expression reads and how to call it, dtype names left out."""
    match expression:
        case Name(name):
            place = _bound_at(op, name)
            if place or name in op.argument or any(_solves(step.check, name) for step in op.tensors.steps):
                yield expression, f"{name} = {place}" if place else name
        case Item() | Size() | Call("given" | "len" | "rank" | "numel" | "prod"):
            yield expression, render_written(expression)
        case _:
            for child in children(expression):
                yield from _leaves(op, child)


def _solves(check: object, name: str) -> bool:
    return isinstance(check, SolveSize) and check.name == name


def _listing(before: str, leaves: dict[Expression, str]) -> Parts:
    for place, (leaf, text) in enumerate(leaves.items()):
        yield f"{', ' if place else before}{text} = "
        yield Value(leaf)
