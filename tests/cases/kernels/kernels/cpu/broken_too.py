"""Keeps the contract for `how` 0 only."""

import torch


def broken_too(x, how):
    n, m = x.shape
    match how:
        case 1:
            return torch.empty(n)
        case 2:
            return torch.empty(n + 1, 2)
        case 3:
            return torch.empty(n, 2, dtype=torch.float64)
        case 4:
            return torch.empty(n, m + 1)
        case 5:
            return torch.empty(n, 2, device="meta")
        case 6:
            return torch.empty(2, n).T
    return torch.empty(n, 2)
