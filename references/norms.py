"""What the normalisations mean."""

import torch
from torch import Tensor


def fused_add_rms_norm(x: Tensor, residual: Tensor, weight: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return the new ``x`` and the new ``residual``."""
    total = x + residual
    return total * torch.rsqrt(total.pow(2).mean(-1, keepdim=True) + eps) * weight, total


def rms_norm_backward(grad: Tensor, x: Tensor, weight: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return the gradients for ``x`` and for ``weight``."""
    scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    normalised, weighted = x * scale, grad * weight
    dx = scale * (weighted - normalised * (weighted * normalised).mean(-1, keepdim=True))
    return dx, (grad * normalised).sum_to_size(weight.shape)
