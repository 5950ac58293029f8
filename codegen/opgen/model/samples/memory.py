"""Chooses strides of sample tensors; no two elements share memory."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.model.layout import strides_of
from opgen.model.sample_values import SampleValue

Strides = tuple[int, ...]


def spread(shape: tuple[int, ...], layout: SampleValue) -> Strides | None:
    """Return the strides of a layout option: transposed, or every second element of a wider tensor; else ``None``."""
    if layout == "transposed" and len(shape) > 1:
        *outer, rows, columns = shape
        *strides, column, row = strides_of((*outer, columns, rows))
        return (*strides, row, column)
    if layout == "strided" and shape:
        strides_of_wider = strides_of((*shape[:-1], 2 * shape[-1]))
        return (*strides_of_wider[:-1], 2)
    return None


def complete_strides(shape: tuple[int, ...], fixed: Mapping[int, int], spacing: int = 1) -> Strides:
    """Complete strides, of which some are fixed by dim, the rightmost innermost.

    The first one chosen is ``spacing`` times as large as it had to be.
    """
    strides = dict(fixed)
    for dim in reversed(range(len(shape))):
        if dim not in strides:
            strides[dim] = spacing * max((strides[other] * max(shape[other], 1) for other in strides), default=1)
            spacing = 1
    return tuple(strides[dim] for dim in range(len(shape)))
