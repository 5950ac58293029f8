"""What the operators of ``ops/tables.yaml`` mean."""

import torch
from torch import Tensor


def rotary_table(
    positions: int, dim: int, base: float, dtype: torch.dtype | None, device: torch.device | None
) -> Tensor:
    """Return cosines and sines of each position."""
    frequencies = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    angles = torch.arange(positions, dtype=torch.float64)[:, None] * frequencies
    return torch.cat((angles.cos(), angles.sin()), dim=-1).to(device=device, dtype=dtype or torch.float32)
