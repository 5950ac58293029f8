import torch


def scale(x, factor, by, out):
    torch.mul(x * by, factor, out=out)
