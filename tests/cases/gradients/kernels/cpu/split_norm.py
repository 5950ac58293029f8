import torch


def split_norm(x, y, norm):
    norm.copy_(x.norm(dim=-1, keepdim=True))
    torch.div(x, norm, out=y)
