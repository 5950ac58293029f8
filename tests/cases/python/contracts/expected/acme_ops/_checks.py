"""What the fake kernels check and say with."""

# mypy: disable-error-code="no-untyped-call"
# torch._check carries no annotations.

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch


def _text(*parts: object) -> str:
    """Join the parts of a message; values are spelled as the C++ checks spell them."""
    return "".join(map(_spell, parts))


def _spell(value: object) -> str:
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_spell, value))}]"
    return str(value)


def _check_sizes(actual: Sequence[int], expected: Sequence[int], message: Callable[[], str]) -> None:
    """Compare sizes one by one: a comparison of whole shapes would ask symbolic sizes for their truth."""
    torch._check(len(actual) == len(expected), message)
    for size, wanted in zip(actual, expected):
        torch._check(size == wanted, message)


def _check_broadcast(packs: Sequence[Sequence[int]], message: Callable[[], str]) -> None:
    for place, pack in enumerate(packs):
        for other in packs[:place]:
            for size, wanted in zip(reversed(pack), reversed(other)):
                torch._check((size == wanted) | (size == 1) | (wanted == 1), message)


def _promote(*values: Any) -> torch.dtype:
    """Promote as ATen does: tensors with dims outrank those without, which outrank numbers.

    Source: `result_type` of `ResultTypeState`, aten/src/ATen/native/TypeProperties.cpp.
    """
    given = [value for value in values if value is not None]
    tensors = [value for value in given if isinstance(value, torch.Tensor)]
    groups = (
        [tensor.dtype for tensor in tensors if tensor.dim() > 0],
        [tensor.dtype for tensor in tensors if tensor.dim() == 0],
        [torch.result_type(value, value) for value in given if not isinstance(value, torch.Tensor)],
    )
    return functools.reduce(_outrank, (functools.reduce(torch.promote_types, group) for group in groups if group))


def _outrank(higher: torch.dtype, lower: torch.dtype) -> torch.dtype:
    """Return the dtype of the higher rank, unless the lower one is of a wider kind: integer, float, complex."""
    if higher.is_complex or (higher.is_floating_point and not lower.is_complex):
        return higher
    if higher.is_floating_point:
        return torch.promote_types(higher, torch.complex32)
    if higher == torch.bool or lower.is_floating_point or lower.is_complex:
        return torch.promote_types(higher, lower)
    return higher
