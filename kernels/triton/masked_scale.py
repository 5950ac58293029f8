"""`masked_scale`: elements one after the other, in blocks whose size is tuned."""

from __future__ import annotations

import torch
import triton.language as tl
from torch import Tensor
from torch.library import wrap_triton

import triton

# Without a GPU, as under `TRITON_INTERPRET=1`, there is nothing to measure.
_CONFIGS = [triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in ((1024, 4), (2048, 8), (4096, 8))]


@triton.autotune(configs=_CONFIGS if torch.cuda.is_available() else _CONFIGS[:1], key=[], restore_value=["out"])
@triton.jit
def masked_scale_kernel(x, mask, out, count, scale, MODE: tl.constexpr, HAS_MASK: tl.constexpr, BLOCK: tl.constexpr):
    places = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = places < count
    is_double: tl.constexpr = x.dtype.element_ty == tl.float64
    value = tl.load(x + places, mask=inside, other=0.0).to(tl.float64 if is_double else tl.float32)
    result = value * scale
    if HAS_MASK:
        is_kept = tl.load(mask + places, mask=inside, other=0) != 0
        if MODE == "keep":
            result = tl.where(is_kept, result, value)
        elif MODE == "zero":
            result = tl.where(is_kept, result, 0.0)
        else:
            result = tl.where(is_kept, result, float("-inf"))
    tl.store(out + places, result.to(out.dtype.element_ty), mask=inside)


def masked_scale(
    x: Tensor, mask: Tensor | None, scale: float, mode: str, out_dtype: torch.dtype | None, out: Tensor
) -> None:
    count = out.numel()
    if count == 0:
        return
    flags = out if mask is None else mask.contiguous().view(torch.int8)  # never read where there is no mask
    wrap_triton(masked_scale_kernel)[lambda meta: (triton.cdiv(count, meta["BLOCK"]),)](
        x.contiguous(), flags, out, count, scale, MODE=mode, HAS_MASK=mask is not None
    )
