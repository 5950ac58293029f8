"""What the operators of ``ops.yaml`` mean, where one expression can't say it. Tests call these with float64 tensors."""

import torch
from torch import Tensor


def fused_add_rms_norm(x: Tensor, residual: Tensor, weight: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return the new ``x`` and the new ``residual``."""
    total = x + residual
    return total * torch.rsqrt(total.pow(2).mean(-1, keepdim=True) + eps) * weight, total


def silu_and_mul(out: Tensor, x: Tensor) -> Tensor:  # noqa: ARG001 - a reference takes what the operator takes
    """Return the new ``out``."""
    d = x.shape[-1] // 2
    return torch.nn.functional.silu(x[..., :d]) * x[..., d:]


def topk_softmax(logits: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """Return the weights and ids; a stable sort puts the lower of two equal experts first, which ``topk`` does not."""
    _, ids = logits.sort(dim=-1, descending=True, stable=True)
    ids = ids[:, :k]
    return logits.softmax(-1).gather(-1, ids), ids.to(torch.int32)
