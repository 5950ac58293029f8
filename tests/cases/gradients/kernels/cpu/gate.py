import torch


def gate(out, x):
    torch.mul(*x.chunk(2, -1), out=out)
