import torch


def sigmoid(x, out):
    torch.sigmoid(x, out=out)
