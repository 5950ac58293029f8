"""Adds to the plan of a contract the checks which make the others safe to run.

Before a division the divisor is checked, before ``pad[1]`` the length of ``pad``, before an allocation that no size is
negative. A size that nothing reads is not bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from opgen.model.op import Op
from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
    Check,
    CheckCondition,
    CheckDtype,
    CheckPack,
    CheckShapes,
    CheckSize,
    CheckStride,
    CheckValues,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DynamicExtent,
    Extent,
    OutputExtent,
    OutputForm,
    OutputSpec,
    PackExtent,
    ResolvedDtype,
    SolveSize,
    Step,
)
from opgen.records import dataclass
from opgen.spec.expression import Binary, Call, Comparison, Constant, Expression, Item, Membership, Name, Size
from opgen.spec.tensor_spec import ValueOffsets, ValueRange
from opgen.targets.expressions import render_written
from opgen.targets.expressions.questions import certain, conjuncts, divisor, names_in

_MOST_BEFORE = 16


@dataclass(frozen=True, slots=True)
class CheckBroadcast:
    """Checks that packs, given by name, can be broadcast against each other."""

    packs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckExtent:
    """Checks that the computed size of an output's dim is not negative."""

    output: str
    dim: int
    size: Expression


@dataclass(frozen=True, slots=True)
class CheckSizes:
    """Checks that no element of a list argument is negative, where ``*sizes`` are the dims of an output."""

    argument: str


@dataclass(frozen=True, slots=True)
class CheckPart:
    """Checks one part of a condition whose parts must all hold, as ``k <= n`` of ``0 < k <= n``.

    Attributes:
        condition: the part.
        before: the last parts that hold already, so that their values can be shown as well.
        whole: the condition.
    """

    condition: Expression
    before: tuple[Expression, ...]
    whole: CheckCondition


AnyCheck: TypeAlias = Check | CheckPart | CheckBroadcast | CheckExtent | CheckSizes


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A ``Step`` of the model whose check may be one of this module.

    Attributes:
        check: the check, or the binding of a name.
        given: the optional arguments that must not be ``None`` for it to run.
        each: it runs for each tensor of a list.
        unread: it binds a size that nothing reads, so that only its check is of use.
        when: the conditions under which it runs.
    """

    check: AnyCheck
    given: tuple[str, ...] = ()
    each: bool = False
    unread: bool = False
    when: tuple[Expression, ...] = ()

    @property
    def is_bind(self) -> bool:
        """Whether it binds a name; with ``each`` that is done once, from the first tensor of the list."""
        return isinstance(self.check, BindSize | BindPack | SolveSize)

    @property
    def on_request(self) -> bool:
        """Whether it reads elements of tensors, which is done only with ``OPGEN_CHECK_VALUES=1``."""
        return isinstance(self.check, CheckValues)

    @property
    def tensor(self) -> str | None:
        """The tensor argument that it looks at, ``None`` for conditions over several."""
        return getattr(self.check, "tensor", None)


def complete_plan(
    op: Op, outputs: Sequence[OutputForm], also: Iterable[Expression] = (), *, on_fakes: bool = False
) -> tuple[PlanStep, ...]:
    """Return every step to run, in order.

    Args:
        op: the op.
        outputs: the outputs that are allocated afterwards, whose sizes must be bound and not negative.
        also: further sizes that are read afterwards.
        on_fakes: leave out checks of elements, which fake tensors don't have.
    """
    steps = [step for step in _input_steps(op) if not (on_fakes and step.on_request)]
    for form in outputs:
        steps += _output_steps(form, op)
    conditions = (condition for step in steps for condition in step.when)
    read = frozenset[str]().union(
        *(_reads(step.check) for step in steps), *map(_output_reads, outputs), *map(names_in, (*also, *conditions))
    )
    return tuple(dict.fromkeys(_without_implied(_without_unread(steps, read))))


def binding_plan(op: Op, outputs: Sequence[OutputForm]) -> tuple[PlanStep, ...]:
    """Return only the steps that bind the sizes of these outputs: enough for calls known to be valid."""
    read = frozenset[str]().union(*map(_output_reads, outputs))
    steps: list[PlanStep] = []
    for step in reversed(complete_plan(op, outputs)):
        if step.is_bind and getattr(step.check, "name", None) in read:
            steps.append(step)
            read |= _reads(step.check).union(*map(names_in, step.when))
    return tuple(reversed(steps))


def _without_unread(steps: Iterable[PlanStep], read: frozenset[str]) -> Iterator[PlanStep]:
    for step in steps:
        match step.check:
            case BindSize(name) | BindPack(name) if name not in read:
                continue
            case SolveSize(name) if name not in read:
                yield replace(step, unread=True)
            case _:
                yield step


def _without_implied(steps: Iterable[PlanStep]) -> Iterator[PlanStep]:
    """Leave out ``len(xs) >= 1`` behind ``len(xs) > 0``, and ``block != 0`` behind ``block > 0``."""
    known: dict[Expression, float] = {}
    for step in steps:
        match step.check:
            case CheckPart(Comparison(("!=",), (subject, Constant(0)))) if known.get(subject, 0) > 0:
                continue
            case CheckPart(condition) if (bound := _lower_bound(condition)) is not None:
                subject, least = bound
                if isinstance(subject, Call) and least <= known.get(subject, 0):
                    continue
                if not (step.given or step.when):
                    known[subject] = max(least, known.get(subject, least))
        yield step


def _lower_bound(condition: Expression) -> tuple[Expression, int] | None:
    """Read a condition as a lower bound: ``k`` and 1 for ``k > 0`` and ``k >= 1``, ``None`` for any other."""
    match condition:
        case Comparison((">" | ">=" as operator,), (subject, Constant(int() as number))):
            return subject, number + (operator == ">")
        case Comparison(("<" | "<=" as operator,), (Constant(int() as number), subject)):
            return subject, number + (operator == "<")
        case Membership(subject, choices, negated=False):
            numbers = [choice.value for choice in choices if isinstance(choice, Constant)]
            whole = [number for number in numbers if type(number) is int]
            return (subject, min(whole)) if whole and len(whole) == len(choices) else None
    return None


def _input_steps(op: Op) -> Iterator[PlanStep]:
    for step in op.tensors.steps:
        for place, condition in enumerate(step.when):
            for needed in _prerequisites(condition):
                yield PlanStep(needed, step.given, when=step.when[:place])
        yield from (replace(each, when=step.when) for each in _steps(step, op))


def _steps(step: Step, op: Op) -> Iterator[PlanStep]:
    """Yield a step of the model, behind the checks without which it could not be evaluated."""
    check = step.check
    if step.each and isinstance(check, BindSize | BindPack | SolveSize):
        yield PlanStep(_at_least(check.tensor, 1), step.given)
    if isinstance(check, CheckDtype):
        for like in _tied_to(check.dtype):
            if like != check.tensor:
                yield from _first_of(like, op, step.given)
    if isinstance(check, CheckPack) and isinstance(check.pack, BroadcastExtent):
        yield PlanStep(CheckBroadcast(check.pack.packs), step.given)
    if isinstance(check, SolveSize) and not isinstance(check.factor, Constant):
        yield PlanStep(_compare(check.factor, "!=", 0), step.given)
    for part in _parts(check) if isinstance(check, CheckCondition) else (check,):
        for expression in () if isinstance(check, CheckValues) else _expressions(part):
            for needed in _prerequisites(expression):
                yield PlanStep(needed, step.given)
        yield PlanStep(part, step.given, step.each)


def _parts(check: CheckCondition) -> Iterator[CheckPart]:
    before: tuple[Expression, ...] = ()
    for part in conjuncts(check.condition):
        yield CheckPart(part, before, check)
        before = (*before, part)[-_MOST_BEFORE:]


def _output_steps(form: OutputForm, op: Op) -> Iterator[PlanStep]:
    for when, spec in form.cases:
        for place, condition in enumerate(when):
            yield from (PlanStep(needed, when=when[:place]) for needed in _prerequisites(condition))
        if spec is not None:
            yield from (replace(step, when=when) for step in _allocation_steps(spec, op))


def _allocation_steps(spec: OutputSpec, op: Op) -> Iterator[PlanStep]:
    for dim, extent in enumerate(spec.extents):
        for expression in _extent_expressions(extent):
            yield from map(PlanStep, _prerequisites(expression))
        match extent:
            case Extent(size) if _may_be_negative(size, op):
                yield PlanStep(CheckExtent(spec.output, dim, size))
            case BroadcastExtent(packs):
                yield PlanStep(CheckBroadcast(packs))
            case PackExtent(name, is_argument=True):
                yield PlanStep(CheckSizes(name))
    for stride in spec.strides or ():
        yield from map(PlanStep, _prerequisites(stride))
    for tensor in (*_tied_to(spec.dtype), *filter(None, [spec.device_of, spec.strides_of])):
        yield from _first_of(tensor, op)


def _tied_to(dtype: ResolvedDtype) -> tuple[str, ...]:
    match dtype:
        case DtypeLike(tensor):
            return (tensor,)
        case DtypeEither(ties):
            return tuple(tie.tensor for tie in ties)
        case DtypeArgument(_, otherwise) if otherwise is not None:
            return _tied_to(otherwise)
    return ()


def _first_of(tensor: str, op: Op, given: tuple[str, ...] = ()) -> Iterator[PlanStep]:
    """Yield the check that a list of tensors is not empty, if ``tensor`` is one, before its first tensor is read."""
    if op.argument[tensor].is_tensor_list:
        yield PlanStep(_at_least(tensor, 1), given)


def _prerequisites(expression: Expression) -> Iterator[CheckPart]:
    for node in certain(expression):
        match node:
            case Item(name, index):
                yield _at_least(name, _length_for(index))
            case Size(name, int() as index, _):
                yield _at_least(name, _length_for(index))
        by = divisor(node)
        if by is not None:
            yield _compare(by, "!=", 0)


def _length_for(index: int) -> int:
    return index + 1 if index >= 0 else -index


def _at_least(name: str, length: int) -> CheckPart:
    return _compare(Call("len", (Name(name),)), ">=", length)


def _compare(left: Expression, operator: Literal["!=", ">="], right: int) -> CheckPart:
    condition = Comparison((operator,), (left, Constant(right)))
    return CheckPart(condition, (), CheckCondition(condition, render_written(condition)))


def _may_be_negative(size: Expression, op: Op) -> bool:
    """Whether a computed size can be negative; sizes of tensors, literals, and their sums and products can't."""
    match size:
        case Constant():
            return False
        case Name(name):
            return name in op.argument
        case Binary("+" | "*" | "//" | "/", left, right):
            return _may_be_negative(left, op) or _may_be_negative(right, op)
        case Call("ceil" | "min" | "max", arguments):
            return any(_may_be_negative(argument, op) for argument in arguments)
        case Call() | Size():
            return False
    return True


def _expressions(check: AnyCheck) -> tuple[Expression, ...]:
    match check:
        case SolveSize(offset=offset, factor=factor):
            return (factor,) if offset is None else (offset, factor)
        case CheckSize(size=expression) | CheckStride(stride=expression) | CheckPart(condition=expression):
            return (expression,)
        case CheckExtent(size=expression) | CheckValues(values=ValueOffsets(total=expression)):
            return (expression,)
        case CheckValues(values=ValueRange(low, high)):
            return (low, high)
        case CheckShapes(shapes=shapes):
            return tuple(extent.size for shape in shapes for extent in shape if isinstance(extent, Extent))
    return ()


def _extent_expressions(extent: OutputExtent) -> tuple[Expression, ...]:
    match extent:
        case Extent(size):
            return (size,)
        case DynamicExtent(_, bound) if bound is not None:
            return (bound,)
    return ()


def _pack_names(extent: OutputExtent) -> tuple[str, ...]:
    match extent:
        case PackExtent(name):
            return (name,)
        case BroadcastExtent(packs):
            return packs
    return ()


def _reads(check: AnyCheck) -> frozenset[str]:
    names = frozenset[str]().union(*map(names_in, _expressions(check)))
    match check:
        case CheckPack(pack=pack):
            names |= frozenset(_pack_names(pack))
        case CheckBroadcast(packs):
            names |= frozenset(packs)
        case CheckShapes(shapes=shapes):
            names |= {extent.name for shape in shapes for extent in shape if isinstance(extent, PackExtent)}
    return names


def _output_reads(form: OutputForm) -> frozenset[str]:
    names: set[str] = set()
    for when, spec in form.cases:
        expressions = [*when]
        if spec is not None:
            expressions += spec.strides or ()
            for extent in spec.extents:
                expressions += _extent_expressions(extent)
                names.update(_pack_names(extent))
        names.update(*map(names_in, expressions))
    return frozenset(names)
