"""`dynamic_quant_int8`: a program takes a row, which it reads twice."""

from __future__ import annotations

import triton.language as tl
from torch import Tensor
from torch.library import wrap_triton

import triton

from .rows import rows_of


@triton.jit
def dynamic_quant_int8_kernel(x, x_row, x_column, q, scale, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x += row * x_row
    q += row * columns
    peaks = tl.zeros([BLOCK], dtype=tl.float64 if x.dtype.element_ty == tl.float64 else tl.float32)
    has_nan = tl.zeros([BLOCK], dtype=tl.int32)
    for start in range(0, columns, BLOCK):
        places = start + tl.arange(0, BLOCK).to(tl.int64)
        value = tl.load(x + places * x_column, mask=places < columns, other=0.0).to(peaks.dtype)
        has_nan |= (value != value).to(tl.int32)
        peaks = tl.maximum(peaks, tl.abs(value))
    peak = tl.max(peaks, 0)
    step = (peak / 127).to(tl.float32)
    step = tl.where(tl.max(has_nan, 0) != 0, float("nan"), step)
    tl.store(scale + row, step)
    is_usable = (step > 0) & (step < float("inf"))
    for start in range(0, columns, BLOCK):
        places = start + tl.arange(0, BLOCK).to(tl.int64)
        inside = places < columns
        value = tl.load(x + places * x_column, mask=inside, other=0.0).to(peaks.dtype)
        quotient = value / tl.where(is_usable, step, 1.0).to(peaks.dtype)
        # To the nearest, ties to even.
        below = tl.floor(quotient)
        rest = quotient - below
        is_odd = below - 2 * tl.floor(below / 2) != 0
        rounded = tl.where((rest > 0.5) | ((rest == 0.5) & is_odd), below + 1, below)
        rounded = tl.minimum(tl.maximum(rounded, -127.0), 127.0)
        tl.store(q + places, tl.where(is_usable, rounded, 0.0).to(tl.int8), mask=inside)


def dynamic_quant_int8(x: Tensor, q: Tensor, scale: Tensor) -> None:
    if x.numel() == 0:
        return
    rows = rows_of(x)
    count, columns = rows.shape
    wrap_triton(dynamic_quant_int8_kernel)[(count,)](
        rows, *rows.stride(), q, scale, columns, BLOCK=min(triton.next_power_of_2(columns), 4096)
    )
