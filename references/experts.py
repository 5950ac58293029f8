"""What the routing of experts means."""

import torch
from torch import Tensor


def topk_softmax(logits: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """Return the weights and ids; a stable sort puts the lower of two equal experts first, which ``topk`` does not."""
    _, ids = logits.sort(dim=-1, descending=True, stable=True)
    ids = ids[:, :k]
    return logits.softmax(-1).gather(-1, ids), ids.to(torch.int32)
