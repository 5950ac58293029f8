import torch


def lookup(table, keys, out):
    out.copy_(torch.tensor(table.values)[keys])
