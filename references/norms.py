"""What the normalisations mean."""

import torch
from torch import Tensor


def fused_add_rms_norm(x: Tensor, residual: Tensor, weight: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return the new ``x`` and the new ``residual``."""
    total = x + residual
    return total * torch.rsqrt(total.pow(2).mean(-1, keepdim=True) + eps) * weight, total
