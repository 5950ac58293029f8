"""Strides of fresh tensors, and tests for contiguity, as in PyTorch.

Source: ``_compute_contiguous`` and ``_compute_channels_last_contiguous_2d`` in ``c10/core/Contiguity.h``. Both ignore
the stride of a dim of size 1.
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


def strides_like(shape: Sequence[int], strides: Sequence[int]) -> tuple[int, ...]:
    """Return the strides that ``torch.empty_like`` gives its result.

    They are the tensor's own if it is non-overlapping and dense, else dense strides in the same order of dims.

    Source: ``empty_like`` in ``aten/src/ATen/native/TensorFactories.cpp``, ``_compute_non_overlapping_and_dense`` in
    ``c10/core/Contiguity.h``, ``infer_dense_strides`` in ``aten/src/ATen/ExpandUtils.cpp``.
    """
    if _is_dense(shape, strides):
        return tuple(strides)
    order = list(reversed(range(len(shape))))
    for place in range(1, len(order)):  # insertion sort, as in the source: with strides of 0 the order isn't total
        moved = place
        for before in reversed(range(place)):
            comparison = _compare(order[before], order[moved], shape, strides)
            if comparison < 0:
                break
            if comparison > 0:
                order[before], order[moved] = order[moved], order[before]
                moved = before
    found = [1] * len(shape)
    step = 1
    for dim in order:
        found[dim] = step
        step *= max(shape[dim], 1)
    return tuple(found)


def _is_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    step = 1
    for stride, size in sorted((stride, size) for stride, size in zip(strides, shape, strict=True) if size > 1):
        if stride != step:
            return False
        step *= size
    return True


def _compare(dim: int, other: int, shape: Sequence[int], strides: Sequence[int]) -> int:
    """Return -1 if ``dim`` is inner to ``other``, 1 if it is outer, 0 if the strides don't decide."""
    if 0 in (strides[dim], strides[other]):
        return 0
    if strides[dim] != strides[other]:
        return -1 if strides[dim] < strides[other] else 1
    return int(shape[dim] > shape[other])


def _innermost_first(shape: Sequence[int], memory_format: MemoryFormat) -> Iterable[int]:
    return _CHANNELS_LAST_ORDER if memory_format == "channels_last" else reversed(range(len(shape)))
