import torch


def opaque(x, out):
    torch.mul(x, 2, out=out)
