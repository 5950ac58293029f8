"""Keeps the contract for `how` 0 only."""

import torch


def broken_too(x, how):
    n, m = x.shape
    return [
        torch.empty(n, 2),
        torch.empty(n),
        torch.empty(n + 1, 2),
        torch.empty(n, 2, dtype=torch.float64),
        torch.empty(n, m + 1),
        torch.empty(n, 2, device="meta"),
        torch.empty(2, n).T,
    ][how]
