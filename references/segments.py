"""What the operators of ``ops/segments.yaml`` mean."""

import torch
from torch import Tensor


def segment_reduce(values: Tensor, offsets: Tensor, mode: str) -> Tensor:
    """Return the reduction of each run of rows."""
    initial = 0 if mode == "mean" else None
    return torch.segment_reduce(values, mode, offsets=offsets.to(torch.int64), axis=0, unsafe=True, initial=initial)


def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    mode: str,
    per_sample_weights: Tensor | None,
    include_last_offset: bool,
) -> Tensor:
    """Return the reduction of each bag of rows."""
    return torch.nn.functional.embedding_bag(
        indices,
        weight,
        offsets,
        mode=mode,
        per_sample_weights=per_sample_weights,
        include_last_offset=include_last_offset,
    )
