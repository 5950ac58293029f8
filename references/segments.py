"""What the operators of ``ops/segments.yaml`` mean."""

import torch
from torch import Tensor


def segment_reduce(values: Tensor, offsets: Tensor, mode: str) -> Tensor:
    """Return the reduction of each run of rows."""
    initial = 0 if mode == "mean" else None
    return torch.segment_reduce(values, mode, offsets=offsets.to(torch.int64), axis=0, unsafe=True, initial=initial)


def segment_reduce_backward(grad: Tensor, values: Tensor, result: Tensor, offsets: Tensor, mode: str) -> Tensor:
    """Return what each row contributes to the gradient of its segment."""
    lengths = offsets.diff().to(torch.int64)
    segment = torch.repeat_interleave(lengths)
    if mode == "sum":
        return grad[segment]
    if mode == "mean":
        return (grad / lengths.clamp(min=1).unsqueeze(-1))[segment]
    is_result = (values == result[segment]) | values.isnan()
    parts = torch.zeros_like(grad).index_add(0, segment, is_result.to(grad.dtype))
    return torch.where(is_result, (grad / parts.clamp(min=1))[segment], 0)


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


def embedding_bag_backward(
    grad: Tensor,
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    mode: str,
    per_sample_weights: Tensor | None,
    include_last_offset: bool,
) -> tuple[Tensor, Tensor]:
    """Return the gradients that autograd gives `embedding_bag`."""
    table = weight.detach().requires_grad_()
    factors = weight.new_zeros(indices.shape) if per_sample_weights is None else per_sample_weights.detach()
    factors.requires_grad_()
    with torch.enable_grad():
        given = None if per_sample_weights is None else factors
        result = embedding_bag(table, indices, offsets, mode, given, include_last_offset)
    dweight, dfactors = torch.autograd.grad(result, (table, factors), grad, materialize_grads=True)
    return dweight, dfactors
