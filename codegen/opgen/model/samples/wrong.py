"""Makes wrong samples: valid calls changed so that each breaks one promise of the contract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from math import prod

from opgen.model.evaluate import Violation, evaluate
from opgen.model.evaluate_expression import Environment, UnreadableError
from opgen.model.layout import strides_of
from opgen.model.op import Op
from opgen.model.sample_values import DtypeValue, Elements, SampleValue, TensorValue
from opgen.model.samples.call import Arguments, CallMaker, chooses_kernel, makers
from opgen.model.samples.elements import holds_number
from opgen.model.samples.limits import most_calls, most_tries
from opgen.model.samples.memory import spread
from opgen.model.samples.sample import Sample, WrongSample
from opgen.model.samples.search import Replayed, assignments
from opgen.model.samples.selection import Option, Selection, axes
from opgen.model.samples.situation import truth
from opgen.model.tensors import (
    CheckAligned,
    CheckCondition,
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
    SolveSize,
    Step,
)
from opgen.records import dataclass
from opgen.spec.dtypes import DTYPES
from opgen.spec.expression import Expression, Not
from opgen.spec.written import render_written

_OTHER_DTYPES = ("int64", "float32", "float64", "bool", "complex64", "uint8")
_MOST_TRIES = 300
_MOST_GIVEN = 16
"""How many absent arguments are given in turn, to break a condition that can't be broken without one."""
_MOST = 256
"""How many promises of an op are broken. The largest real ones make fewer."""
_MOST_IN_VAIN = 8
"""How many are tried that can't be: each costs a whole search."""


def wrong_samples(op: Op, valid: tuple[Sample, ...]) -> Iterator[WrongSample]:
    """Yield a wrong call for each step that can be broken; ``evaluate`` proves that it fails at that very step."""
    labels: Counter[str] = Counter()
    in_vain = 0
    against, tries = _Against(op), iter(range(most_tries(op)))
    labelled = ((step, label) for step in op.tensors.steps if (label := _label(step)) is not None)
    for step, label in islice(labelled, most_calls(op, _MOST)):
        for call, _ in zip(_broken_calls(against, step, valid), tries, strict=False):
            if not chooses_kernel(op, call):
                continue
            violation = evaluate(op.tensors, call)
            if isinstance(violation, Violation) and violation.step == step:
                labels[label] += 1
                unique = label if labels[label] == 1 else f"{label}-{labels[label]}"
                yield WrongSample(unique, call, *_blame(step, violation, call), step.check)
                break
        else:
            in_vain += 1
            if in_vain == _MOST_IN_VAIN:
                return


def _label(step: Step) -> str | None:
    """Name a sample by the broken step, and by the branch of the contract that the step is in."""
    label = _named(step)
    return f"{label} where {' and '.join(map(render_written, step.when))}" if label and step.when else label


def _named(step: Step) -> str | None:  # noqa: C901, PLR0911 - one case a check
    match step.check:
        case CheckRank(tensor):
            return f"{tensor}-rank"
        case CheckDtype(tensor):
            return f"{tensor}-dtype"
        case CheckDevice(tensor) | CheckDeviceAmong(tensor) | CheckNamedDevice(tensor):
            return f"{tensor}-device"
        case CheckSize(tensor, dim) | SolveSize(_, tensor, dim):
            return f"{tensor}-size-{dim}"
        case CheckPack(tensor):
            return f"{tensor}-sizes"
        case CheckShapes(tensor):
            return f"{tensor}-shape"
        case CheckContiguous(tensor) | CheckStride(tensor) | CheckStridesLike(tensor):
            return f"{tensor}-strides"
        case CheckValues(tensor):
            return f"{tensor}-values"
        case CheckAligned(tensor):
            return f"{tensor}-alignment"
        case CheckCondition(_, written):
            return f"not {written}"
    return None


def _blame(step: Step, violation: Violation, call: Arguments) -> tuple[str | None, tuple[str, ...]]:
    """Return the argument that errors must name, and the words that they must contain."""
    if isinstance(step.check, CheckCondition):
        return None, (step.check.message or f"expected {step.check.written}",)
    argument = violation.argument or ""
    name, _, place = argument.partition("[")
    value = call[name]
    tensor = value[int(place[:-1])] if place and isinstance(value, tuple) else value
    found = _found(step, tensor) if isinstance(tensor, TensorValue) else ""
    return name, (f"argument '{argument}'", *((f"got {found}",) if found else ()))


def _found(step: Step, tensor: TensorValue) -> str:
    match step.check:
        case CheckRank():
            return f"a {len(tensor.shape)}-dim tensor"
        case CheckDtype():
            return tensor.dtype
        case CheckDevice() | CheckDeviceAmong() | CheckNamedDevice():
            return tensor.device
        case CheckSize(dim=dim) | SolveSize(dim=dim):
            return str(tensor.shape[dim])
    return ""


def _broken_calls(against: _Against, step: Step, valid: tuple[Sample, ...]) -> Iterator[Arguments]:
    if isinstance(step.check, CheckCondition):
        yield from islice(against.calls(step.check.condition, step.given), _MOST_TRIES)
        return
    tensor = getattr(step.check, "tensor", "")
    for sample in valid:
        is_given = all(sample.arguments[name] is not None for name in step.given)
        if not is_given or not all(truth(each, Environment(sample.arguments, {})) for each in step.when):
            continue
        value = sample.arguments[tensor]
        for broken in _broken_values(step, value):
            yield {**sample.arguments, tensor: broken}


def _broken_values(step: Step, value: SampleValue) -> Iterator[SampleValue]:
    if isinstance(value, tuple):
        if value:
            *others, last = value
            yield from ((*others, broken) for broken in _broken_values(step, last))
    elif isinstance(value, TensorValue):
        yield from _broken_tensors(step, value)


def _broken_tensors(step: Step, tensor: TensorValue) -> Iterator[TensorValue]:  # noqa: C901 - one case a check
    shape = tensor.shape
    match step.check:
        case CheckRank():
            yield _reshaped(tensor, (1, *shape))
            yield _reshaped(tensor, shape[1:])
            yield _reshaped(tensor, (1,) * (step.check.rank - 1))
        case CheckDtype():
            yield from (replace(tensor, dtype=dtype) for dtype in dict.fromkeys((*_OTHER_DTYPES, *DTYPES)))
        case CheckDevice() | CheckDeviceAmong() | CheckNamedDevice():
            yield replace(tensor, device="meta")
        case CheckSize(dim=dim) | SolveSize(dim=dim):
            yield from (_resized(tensor, dim % len(shape), by) for by in (1, 2, -shape[dim]))
        case CheckShapes():
            yield from (_resized(tensor, dim, 2) for dim in range(len(shape)))
        case CheckPack(lead=lead, trail=trail):
            if lead + trail < len(shape):
                yield _resized(tensor, lead)
            yield _reshaped(tensor, (*shape[:lead], 2, *shape[lead:]))
        case CheckContiguous() | CheckStride() | CheckStridesLike():
            for layout in ("strided", "transposed"):
                yield replace(tensor, strides=spread(shape, layout))
            strides = tensor.strides or strides_of(shape)
            yield replace(tensor, strides=tuple(2 * stride for stride in strides))
            for dim, stride in enumerate(strides):  # other strides may be required too
                yield replace(tensor, strides=(*strides[:dim], stride + 1, *strides[dim + 1 :]))
        case CheckAligned():
            yield replace(tensor, offset=1)
        case CheckValues():
            yield from _broken_elements(tensor)


def _broken_elements(tensor: TensorValue) -> Iterator[TensorValue]:
    """Yield the tensor with all elements just above the largest allowed value, and just below the smallest."""
    if tensor.elements is not None:
        least, most = tensor.elements.limits(prod(tensor.shape))
        for wrong in (int(most) + 1, int(least) - 1):
            if holds_number(tensor.dtype, wrong):
                yield replace(tensor, elements=Elements(low=wrong, high=wrong + 1))


def _resized(tensor: TensorValue, dim: int, by: int = 1) -> TensorValue:
    shape = tensor.shape
    return _reshaped(tensor, (*shape[:dim], shape[dim] + by, *shape[dim + 1 :]))


def _reshaped(tensor: TensorValue, shape: tuple[int, ...]) -> TensorValue:
    return TensorValue(shape, tensor.dtype, elements=tensor.elements)


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to make calls, the conditions to meet in it, and what each variable may be."""

    maker: CallMaker
    conditions: Sequence[Expression]
    candidates: Mapping[str, Sequence[SampleValue]]


class _Against:
    """Calls of one op that meet every condition but one; what makes them is the same whichever that is."""

    def __init__(self, op: Op) -> None:
        self._op = op
        every = axes(op)
        # Here the search also varies arguments that switch modes, since a wrong mode is a wrong call too.
        self._default = Selection.of(axis[0] for axis in every if axis[0].axis != "value")
        self._options = [option for axis in every if axis[0].axis == "given" for option in axis[1:]]
        self._ways: dict[tuple[tuple[str, ...], Option | None], Replayed[_Way]] = {}

    def calls(self, condition: Expression, given: tuple[str, ...]) -> Iterator[Arguments]:
        """Yield calls that break a condition, which is asked where some arguments are given."""
        for way in self._ways_with(given):
            wanted = [*(other for other in way.conditions if other != condition), Not(condition)]
            for assignment in islice(assignments(way.candidates, wanted, way.maker.fixed), _MOST_TRIES):
                with suppress(UnreadableError):
                    yield way.maker.arguments(assignment)

    def _ways_with(self, given: tuple[str, ...]) -> Iterator[_Way]:
        """Yield the ways to make calls in which some arguments are given, and others in turn."""
        selection = self._default
        for name in given:
            selection = selection.chosen(Option("given", name, value=True))
        for option in (None, *self._options[:_MOST_GIVEN]):
            if (given, option) not in self._ways:
                chosen = selection if option is None else selection.chosen(option)
                self._ways[given, option] = Replayed(self._made(chosen))
            yield from self._ways[given, option]

    def _made(self, selection: Selection) -> Iterator[_Way]:
        for maker in makers(self._op, selection):
            for candidates in maker.all_candidates():
                widened = {name: [*values, *_unlikely(values)] for name, values in candidates.items()}
                yield _Way(maker, maker.conditions(0), widened)


def _unlikely(values: Sequence[SampleValue]) -> list[SampleValue]:
    """Return values, of the same type as these, that are in no list of choices."""
    first = values[0] if values else None
    if isinstance(first, str):
        return ["no such choice"]
    if isinstance(first, DtypeValue):
        return [DtypeValue("complex64"), DtypeValue("uint8")]
    return []
