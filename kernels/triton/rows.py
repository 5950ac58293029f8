"""Tensors as rows along their last dimension, as kernels take them."""

from __future__ import annotations

from torch import Tensor


def rows_of(x: Tensor) -> Tensor:
    """Return ``[*batch, n]`` as ``[rows, n]``: the same memory where its strides allow that, else a copy."""
    return x.reshape(-1, x.size(-1))


def copy_back(rows: Tensor, x: Tensor) -> None:
    """Write what a kernel wrote into a copy to the tensor that was meant."""
    if rows.data_ptr() != x.data_ptr():
        x.copy_(rows.view(x.shape))
