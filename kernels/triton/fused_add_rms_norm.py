"""`fused_add_rms_norm`: a program takes a row, and rows longer than a block by several steps."""

from __future__ import annotations

import triton.language as tl
from torch import Tensor
from torch.library import wrap_triton

import triton

from .rows import copy_back, rows_of


@triton.jit
def fused_add_rms_norm_kernel(
    x,
    x_row,
    x_column,
    residual,
    residual_row,
    residual_column,
    weight,
    weight_stride,
    columns,
    eps,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    x += row * x_row
    residual += row * residual_row
    squares = tl.zeros([BLOCK], dtype=tl.float64 if x.dtype.element_ty == tl.float64 else tl.float32)
    for start in range(0, columns, BLOCK):
        places = start + tl.arange(0, BLOCK).to(tl.int64)
        inside = places < columns
        total = tl.load(residual + places * residual_column, mask=inside, other=0.0).to(squares.dtype)
        total += tl.load(x + places * x_column, mask=inside, other=0.0).to(squares.dtype)
        # What is normalised is the residual as the next layer will read it: rounded to its dtype.
        rounded = total.to(residual.dtype.element_ty)
        tl.store(residual + places * residual_column, rounded, mask=inside)
        squares += rounded.to(squares.dtype) * rounded.to(squares.dtype)
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / columns + eps)
    for start in range(0, columns, BLOCK):
        places = start + tl.arange(0, BLOCK).to(tl.int64)
        inside = places < columns
        total = tl.load(residual + places * residual_column, mask=inside, other=0.0).to(squares.dtype)
        factor = tl.load(weight + places * weight_stride, mask=inside, other=0.0).to(squares.dtype)
        tl.store(x + places * x_column, (total * scale * factor).to(x.dtype.element_ty), mask=inside)


def fused_add_rms_norm(x: Tensor, residual: Tensor, weight: Tensor, eps: float) -> None:
    if x.numel() == 0:
        return
    x_rows, residual_rows = rows_of(x), rows_of(residual)
    count, columns = x_rows.shape
    wrap_triton(fused_add_rms_norm_kernel)[(count,)](
        *(x_rows, *x_rows.stride(), residual_rows, *residual_rows.stride(), weight, weight.stride(0), columns, eps),
        BLOCK=min(triton.next_power_of_2(columns), 4096),
    )
    copy_back(residual_rows, residual)
    copy_back(x_rows, x)
