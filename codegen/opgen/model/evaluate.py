"""Runs the plan of a contract on concrete values in pure Python: the definition of what a plan means.

Fakes and host checks are rendered from the same plan; if they disagree with this module, they are wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import reduce
from math import prod
from typing import Any

from opgen.model.evaluate_expression import Environment, UnreadableError, evaluate_expression
from opgen.model.layout import is_laid_out, strides_like, strides_of
from opgen.model.promotion import result_type
from opgen.model.sample_values import DeviceValue, DtypeValue, SampleValue, TensorValue
from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
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
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    DynamicExtent,
    Extent,
    OutputChoice,
    OutputExtent,
    OutputForm,
    OutputSpec,
    PackExtent,
    ResolvedDtype,
    SolveSize,
    Step,
    TensorContract,
)
from opgen.records import dataclass
from opgen.spec.dtypes import item_size
from opgen.spec.expression import Expression
from opgen.spec.tensor_spec import ValueOffsets, ValuePermutation, ValueRange


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation of the contract by a call.

    Attributes:
        argument: the argument, ``xs[1]`` for an element of a list; ``None`` if it isn't a single one.
        expected: the requirement of the contract.
        actual: the value found instead.
        step: the step that failed; ``None`` if an output cannot be made.
    """

    argument: str | None
    expected: str
    actual: str
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class EvaluatedOutput:
    """A fresh output of a valid call.

    Attributes:
        shape: the sizes; ``None`` for a data-dependent one (``?k``).
        dtype: torch's name without ``torch.``.
        device: a device type, perhaps with an index.
        strides: in elements; ``None`` if a size is data-dependent.
    """

    shape: tuple[int | None, ...]
    dtype: str
    device: str
    strides: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class EvaluatedOutputs:
    """The result for a valid call.

    Attributes:
        outputs: the fresh outputs by name; ``None`` for a result that is ``None``.
        sizes: the values of the sizes and packs that the call binds.
    """

    outputs: Mapping[str, EvaluatedOutput | None]
    sizes: Mapping[str, int | tuple[int, ...]]


def evaluate(contract: TensorContract, values: Mapping[str, SampleValue]) -> EvaluatedOutputs | Violation:
    """Run a plan on a call.

    Args:
        contract: a contract without errors.
        values: one value for each argument of the op.

    Returns:
        The outputs, or the violation of the first step that fails.
    """
    run = _Run(values)
    try:
        for step in contract.steps:
            if run.applies(step):
                violation = run.step(step)
                if violation is not None:
                    return violation
    except UnreadableError as error:
        return Violation(getattr(step.check, "tensor", None), "values that can be computed with", str(error), step)
    try:
        outputs = {name: run.form(form) for name, form in contract.outputs.items()}
    except UnreadableError as error:
        return Violation(None, "outputs that can be made", str(error))
    return EvaluatedOutputs(outputs, run.sizes)


Found = tuple[str, str] | None
"""The expected and the actual value if a check fails, else ``None``."""


@dataclass
class _Run:
    """The state of one evaluation: the arguments, and the sizes bound so far."""

    values: Mapping[str, SampleValue]
    sizes: dict[str, int | tuple[int, ...]] = field(default_factory=dict)

    def compute(self, expression: Expression) -> Any:
        return evaluate_expression(expression, Environment(self.values, self.sizes))

    # --- steps --------------------------------------------------------------------------------------------------------
    def applies(self, step: Step) -> bool:
        """Whether the conditions of a step hold in this call."""
        return all(self.values[name] is not None for name in step.given) and all(map(self.compute, step.when))

    def step(self, step: Step) -> Violation | None:
        check = step.check
        if isinstance(check, CheckCondition):
            if self.compute(check.condition):
                return None
            return Violation(None, check.written, check.message or "it does not hold", step)
        if isinstance(check, BindSize | BindPack | SolveSize):
            subjects: Iterator[tuple[str, TensorValue]] = iter([(check.tensor, self.first(check.tensor))])
        else:
            subjects = self.subjects(check.tensor, each=step.each)
        for name, tensor in subjects:
            found = self.check(check, tensor)
            if found is not None:
                return Violation(name, *found, step)
        return None

    def subjects(self, name: str, *, each: bool) -> Iterator[tuple[str, TensorValue]]:
        """Yield the tensors that a step checks, with their names; elements of a list that are ``None`` are skipped."""
        value = self.values[name]
        if isinstance(value, TensorValue):
            yield name, value
        elif isinstance(value, tuple) and each:
            for place, element in enumerate(value):
                if isinstance(element, TensorValue):
                    yield f"{name}[{place}]", element

    def first(self, name: str) -> TensorValue:
        """Return a tensor argument; of a list, its first tensor."""
        return Environment(self.values, {}).tensor(name, 0 if isinstance(self.values[name], tuple) else None)

    def check(self, check: Any, tensor: TensorValue) -> Found:
        return _HANDLERS[type(check)](self, check, tensor)

    def bind_size(self, check: BindSize, tensor: TensorValue) -> None:
        self.sizes[check.name] = (tensor.shape if check.of == "size" else _strides(tensor))[check.dim]

    def bind_pack(self, check: BindPack, tensor: TensorValue) -> None:
        self.sizes[check.name] = _run(tensor, check.lead, check.trail)

    def solve_size(self, check: SolveSize, tensor: TensorValue) -> Found:
        size = tensor.shape[check.dim]
        offset = 0 if check.offset is None else self.compute(check.offset)
        factor = self.compute(check.factor)
        if factor == 0:
            raise UnreadableError(f"{check.written} is {offset} for every {check.name}")
        quotient, remainder = divmod(size - offset, factor)
        if remainder != 0 or quotient < 0:
            return f"a size {check.written} with {check.name} >= 0 at dim {check.dim}", str(size)
        self.sizes[check.name] = quotient
        return None

    def check_rank(self, check: CheckRank, tensor: TensorValue) -> Found:
        rank = len(tensor.shape)
        if rank == check.rank or (rank > check.rank and not check.exact):
            return None
        return f"{'' if check.exact else 'at least '}{check.rank} dims", str(rank)

    def check_dtype(self, check: CheckDtype, tensor: TensorValue) -> Found:
        allowed = self.dtypes(check.dtype)
        return None if tensor.dtype in allowed else (" or ".join(allowed), tensor.dtype)

    def check_device(self, check: CheckDevice, tensor: TensorValue) -> Found:
        if check.like is None:
            expected, actual = str(check.device_type), tensor.device.split(":")[0]
        else:
            like = [other for _, other in self.subjects(check.like, each=True)]
            expected, actual = like[0].device if like else tensor.device, tensor.device
        return None if actual == expected else (expected, tensor.device)

    def check_device_among(self, check: CheckDeviceAmong, tensor: TensorValue) -> Found:
        likes = [self.first(like) for like in check.likes if self.values[like]]
        allowed = [*(like.device for like in likes), *check.device_types]
        holds = tensor.device in allowed or tensor.device.partition(":")[0] in check.device_types
        return None if holds else (" or ".join(allowed), tensor.device)

    def check_named_device(self, check: CheckNamedDevice, tensor: TensorValue) -> Found:
        value = self.values[check.argument]
        wanted = check.device_type or "cpu"
        if isinstance(value, DeviceValue):
            wanted = value.name
        elif check.like is not None:
            wanted = self.first(check.like).device
        found = tensor.device if ":" in wanted else tensor.device.partition(":")[0]
        return None if found == wanted else (f"{check.written} ({wanted})", tensor.device)

    def check_size(self, check: CheckSize, tensor: TensorValue) -> Found:
        expected, actual = self.compute(check.size), tensor.shape[check.dim]
        return None if actual == expected else (f"{check.written} = {expected} at dim {check.dim}", str(actual))

    def check_pack(self, check: CheckPack, tensor: TensorValue) -> Found:
        expected, actual = self.extent(check.pack), _run(tensor, check.lead, check.trail)
        return None if actual == expected else (f"sizes {expected}", str(actual))

    def check_shapes(self, check: CheckShapes, tensor: TensorValue) -> Found:
        for shape in check.shapes:
            wanted = [size for extent in shape for size in ((None,) if extent is None else self.extent(extent))]
            pairs = zip(wanted, tensor.shape, strict=False)
            if len(wanted) == len(tensor.shape) and all(size is None or size == actual for size, actual in pairs):
                return None
        return f"a shape {check.written}", str(tensor.shape)

    def check_contiguous(self, check: CheckContiguous, tensor: TensorValue) -> Found:
        if is_laid_out(tensor.shape, _strides(tensor), check.memory_format):
            return None
        return check.memory_format, f"strides {_strides(tensor)} for shape {tensor.shape}"

    def check_stride(self, check: CheckStride, tensor: TensorValue) -> Found:
        expected, actual = self.compute(check.stride), _strides(tensor)[check.dim]
        if actual == expected or tensor.shape[check.dim] <= 1:
            return None
        return f"stride {expected} at dim {check.dim}", str(actual)

    def check_strides_like(self, check: CheckStridesLike, tensor: TensorValue) -> Found:
        expected, actual = _strides(self.first(check.like)), _strides(tensor)
        pairs = zip(tensor.shape, expected, actual, strict=False)
        if len(expected) == len(actual) and all(size <= 1 or one == other for size, one, other in pairs):
            return None
        return f"strides {expected}", f"{actual}"

    def check_aligned(self, check: CheckAligned, tensor: TensorValue) -> Found:
        beyond = tensor.offset * item_size(tensor.dtype) % check.bytes
        return None if beyond == 0 else (f"data aligned to {check.bytes} bytes", f"{beyond} bytes beyond")

    def check_values(self, check: CheckValues, tensor: TensorValue) -> Found:
        """Compare the known properties of the elements with the required ones."""
        known, count = tensor.elements, prod(tensor.shape)
        if known is None or count == 0:
            return None
        match check.values:
            case ValueRange(low, high):
                least, most = known.limits(count)
                holds = self.compute(low) <= least and most < self.compute(high)
            case ValueOffsets(total):
                holds = known.offsets == self.compute(total)
            case ValuePermutation():
                holds = known.permutation
        return None if holds else (check.written, str(known))

    # --- what outputs are made of -------------------------------------------------------------------------------------
    def dtypes(self, dtype: ResolvedDtype) -> tuple[str, ...]:
        """Return the dtypes that are allowed; for an output that is exactly one."""
        match dtype:
            case DtypeSet(names):
                return names
            case DtypeLike(tensor):
                return (self.first(tensor).dtype,)
            case DtypeEither(ties, names):
                return (*(self.first(tie.tensor).dtype for tie in ties), *names)
            case DtypePromoted(arguments):
                promoted = result_type(self.values[argument] for argument in arguments)
                if promoted is None:
                    raise UnreadableError(f"there is no dtype for promote({', '.join(arguments)})")
                return (promoted,)
            case DtypeArgument(argument, otherwise):
                value = self.values[argument]
                if isinstance(value, DtypeValue):
                    return (value.name,)
                if otherwise is not None:
                    return self.dtypes(otherwise)
        raise UnreadableError(f"{dtype} names no dtype")

    def extent(self, extent: OutputExtent) -> tuple[int | None, ...]:
        """Return the sizes of one extent of an output; ``None`` for a data-dependent one."""
        match extent:
            case Extent(size):
                return (self.compute(size),)
            case PackExtent(name):
                return tuple(Environment(self.values, self.sizes).value(name))
            case BroadcastExtent(packs):
                environment = Environment(self.values, self.sizes)
                shapes: list[tuple[int, ...]] = [environment.value(pack) for pack in packs]
                return reduce(_broadcast, shapes)
            case DynamicExtent():
                return (None,)

    def form(self, form: OutputForm | None) -> EvaluatedOutput | None:
        """Return an output by the case of its contract whose conditions hold."""
        if isinstance(form, OutputChoice):
            return self.form(form.then if self.compute(form.condition) else form.otherwise)
        return None if form is None else self.output(form)

    def output(self, spec: OutputSpec) -> EvaluatedOutput:
        shape = tuple(size for extent in spec.extents for size in self.extent(extent))
        sizes = tuple(size for size in shape if size is not None)
        if any(size < 0 for size in sizes):
            raise UnreadableError(f"the shape is {shape}")
        strides = None
        if spec.strides is not None:
            strides = tuple(self.compute(stride) for stride in spec.strides)
        elif spec.strides_of is not None:
            like = self.first(spec.strides_of)
            strides = strides_like(like.shape, _strides(like))
        elif len(sizes) == len(shape):
            strides = strides_of(sizes, spec.memory_format)
        return EvaluatedOutput(shape, self.dtypes(spec.dtype)[0], self.device(spec), strides)

    def device(self, spec: OutputSpec) -> str:
        value = self.values[spec.device_argument] if spec.device_argument is not None else None
        if isinstance(value, DeviceValue):
            return value.name
        if spec.device_type is None and spec.device_of is not None:
            return self.first(spec.device_of).device
        return spec.device_type or "cpu"


_HANDLERS: Mapping[type, Callable[[_Run, Any, TensorValue], Found]] = {
    BindSize: _Run.bind_size,
    BindPack: _Run.bind_pack,
    SolveSize: _Run.solve_size,
    CheckRank: _Run.check_rank,
    CheckDtype: _Run.check_dtype,
    CheckDevice: _Run.check_device,
    CheckDeviceAmong: _Run.check_device_among,
    CheckNamedDevice: _Run.check_named_device,
    CheckSize: _Run.check_size,
    CheckPack: _Run.check_pack,
    CheckShapes: _Run.check_shapes,
    CheckContiguous: _Run.check_contiguous,
    CheckStride: _Run.check_stride,
    CheckStridesLike: _Run.check_strides_like,
    CheckAligned: _Run.check_aligned,
    CheckValues: _Run.check_values,
}


def _run(tensor: TensorValue, lead: int, trail: int) -> tuple[int, ...]:
    return tensor.shape[lead : len(tensor.shape) - trail]


def _strides(tensor: TensorValue) -> tuple[int, ...]:
    return strides_of(tensor.shape) if tensor.strides is None else tensor.strides


def _broadcast(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    """Broadcast two shapes as PyTorch does.

    Source: "Broadcasting semantics" in the notes of PyTorch's documentation.
    """
    rank = max(len(left), len(right))
    pairs = zip((1,) * (rank - len(left)) + left, (1,) * (rank - len(right)) + right, strict=True)
    sizes = []
    for one, other in pairs:
        if one != other and 1 not in (one, other):
            raise UnreadableError(f"{left} and {right} do not broadcast")
        sizes.append(other if one == 1 else one)
    return tuple(sizes)
