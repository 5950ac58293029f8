"""What the library's author wrote beside kernels."""

import torch


def transpose(info, in_dims, x):
    """One call for a whole batch of matrices: they stand beside each other."""
    n = x.movedim(in_dims[0], 0).shape[1]
    beside = x.movedim(in_dims[0], 0).flatten(0, 1)
    return torch.ops.layers.transpose(beside).unflatten(1, (info.batch_size, n)), 1
