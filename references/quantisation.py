"""What the operators of ``ops/quantisation.yaml`` mean."""

import torch
from torch import Tensor


def dynamic_quant_int8(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the steps, and the scale of each row."""
    scale = _scale(x)
    return _steps(x, scale), scale


def quant_block(x: Tensor, block: int) -> tuple[Tensor, Tensor]:
    """Return the steps, and the scale of each block; the zeros that fill the last one change neither."""
    rows, n = x.shape
    blocks = torch.nn.functional.pad(x, (0, -n % block)).reshape(rows, -(-n // block), block)
    scale = _scale(blocks)
    return _steps(blocks, scale).reshape(rows, -(-n // block) * block)[:, :n], scale[..., 0]


def _scale(x: Tensor) -> Tensor:
    return (x.abs().amax(-1, keepdim=True) / 127).to(torch.float32)


def _steps(x: Tensor, scale: Tensor) -> Tensor:
    steps = (x / scale).round().clamp(-127, 127)
    return torch.where((scale > 0) & scale.isfinite(), steps, 0).to(torch.int8)


def masked_scale(x: Tensor, mask: Tensor | None, scale: float, mode: str, out_dtype: torch.dtype | None) -> Tensor:
    """Return the product where the mask is true; the tests round it to the dtype of the kernel's result."""
    elsewhere = {"zero": torch.zeros_like(x), "keep": x, "-inf": torch.full_like(x, -torch.inf)}[mode]
    product = x * scale if mask is None else torch.where(mask, x * scale, elsewhere)
    return product if out_dtype is None else product.to(out_dtype)
