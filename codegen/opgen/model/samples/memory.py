"""Strides of sample tensors: no two elements share memory."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.model.layout import strides_of
from opgen.model.sample_values import SampleValue

Strides = tuple[int, ...]


def spread(shape: tuple[int, ...], layout: SampleValue) -> Strides | None:
    """Lay a tensor out as its transpose, or as every second element of a wider tensor; ``None`` is contiguous."""
    if layout == "transposed" and len(shape) > 1:
        *outer, rows, columns = shape
        *strides, column, row = strides_of((*outer, columns, rows))
        return (*strides, row, column)
    if layout == "strided" and shape:
        strides_of_wider = strides_of((*shape[:-1], 2 * shape[-1]))
        return (*strides_of_wider[:-1], 2)
    return None


def around(shape: tuple[int, ...], fixed: Mapping[int, int], spacing: int = 1) -> Strides:
    """Choose the strides that are not fixed, the rightmost innermost; the first has gaps of ``spacing`` times its size."""
    strides = dict(fixed)
    for dim in reversed(range(len(shape))):
        if dim not in strides:
            strides[dim] = spacing * max((strides[other] * max(shape[other], 1) for other in strides), default=1)
            spacing = 1
    return tuple(strides[dim] for dim in range(len(shape)))
