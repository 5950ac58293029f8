"""Strides, as PyTorch computes and judges them.

Source: ``_compute_contiguous`` and ``_compute_channels_last_contiguous_2d`` in ``c10/core/Contiguity.h``. The stride of a
dim of one element means nothing to either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Literal

MemoryFormat = Literal["contiguous", "channels_last"]

_CHANNELS_LAST_ORDER = (1, 3, 2, 0)


def strides_of(shape: Sequence[int], memory_format: MemoryFormat = "contiguous") -> tuple[int, ...]:
    """Return the strides of a fresh tensor, in elements; an empty dim counts as 1 for ``contiguous`` only.

    Source: ``empty_tensor_restride_symint`` in ``c10/core/TensorImpl.cpp``, ``get_channels_last_strides_2d`` in
    ``c10/core/MemoryFormat.h``.
    """
    strides = [0] * len(shape)
    step = 1
    for dim in _innermost_first(shape, memory_format):
        strides[dim] = step
        step *= max(shape[dim], 1) if memory_format == "contiguous" else shape[dim]
    return tuple(strides)


def is_laid_out(shape: Sequence[int], strides: Sequence[int], memory_format: MemoryFormat = "contiguous") -> bool:
    """Whether ``Tensor.is_contiguous(memory_format=...)`` holds."""
    if memory_format == "channels_last" and len(shape) != len(_CHANNELS_LAST_ORDER):
        return False
    if memory_format == "contiguous" and prod(shape) == 0:
        return True
    step = 1
    for dim in _innermost_first(shape, memory_format):
        if shape[dim] != 1:
            if strides[dim] != step:
                return False
            step *= shape[dim]
    return True


def _innermost_first(shape: Sequence[int], memory_format: MemoryFormat) -> Iterable[int]:
    return _CHANNELS_LAST_ORDER if memory_format == "channels_last" else reversed(range(len(shape)))
