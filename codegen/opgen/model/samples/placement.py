"""Chooses devices and strides of sample tensors by the steps of the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from opgen.model.evaluate_expression import Environment, evaluate_expression
from opgen.model.layout import strides_of
from opgen.model.sample_values import DeviceValue, SampleValue, TensorValue
from opgen.model.samples.memory import Strides, complete_strides, spread
from opgen.model.tensors import (
    BindSize,
    CheckContiguous,
    CheckDevice,
    CheckDeviceAmong,
    CheckNamedDevice,
    CheckStride,
    CheckStridesLike,
    Step,
)


def device_of(tensor: str, steps: Sequence[Step], values: Mapping[str, SampleValue]) -> str:
    """Return a device for a tensor argument: the CPU, unless the plan requires another one."""
    for step in steps:
        match step.check:
            case CheckDevice(name, None, str() as device_type) if name == tensor:
                return device_type
            case CheckDeviceAmong(name, (), types) if name == tensor and "cpu" not in types:
                return types[0]
            case CheckNamedDevice(name, argument, _, device_type) if name == tensor:
                value = values[argument]
                return value.name if isinstance(value, DeviceValue) else device_type or "cpu"
    return "cpu"


def strides_for(
    tensor: str, shape: tuple[int, ...], steps: Sequence[Step], values: Mapping[str, SampleValue], layout: SampleValue
) -> Strides | None:
    """Return strides for a tensor argument, ``None`` for contiguous; ``layout`` is the choice if they are open."""
    fixed: dict[int, int] = {}
    for step in steps:
        match step.check:
            case CheckContiguous(name, memory_format) if name == tensor:
                return None if memory_format == "contiguous" else strides_of(shape, memory_format)
            case CheckStridesLike(name, like) if name == tensor:
                strides = _strides(values[like])
                return strides if strides is not None and len(strides) == len(shape) else None
            case CheckStride(name, dim, stride) if name == tensor:
                value = evaluate_expression(stride, Environment(values, {}))
                if isinstance(value, int):  # the stride of another tensor may not be known yet
                    fixed[dim % len(shape)] = value
    return complete_strides(shape, fixed, 2 if layout == "strided" else 1) if fixed else spread(shape, layout)


def named_strides(steps: Sequence[Step], values: Mapping[str, SampleValue]) -> Iterator[tuple[str, int]]:
    """Yield the names that are bound to strides, with their values."""
    for step in steps:
        if isinstance(step.check, BindSize) and step.check.of == "stride":
            strides = _strides(values[step.check.tensor])
            if strides is not None and -len(strides) <= step.check.dim < len(strides):
                yield step.check.name, strides[step.check.dim]


def _strides(value: SampleValue) -> Strides | None:
    """Return the strides of a tensor; of a list, those of its first tensor."""
    first = value[0] if isinstance(value, tuple) and value else value
    return (first.strides or strides_of(first.shape)) if isinstance(first, TensorValue) else None
