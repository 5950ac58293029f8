"""What the operators compute."""

import torch


def gate(out, x, work):
    left, right = x.chunk(2, -1)
    return left * right


def ends(x, count):
    return x[:count].clone(), x[-count:].clone()


def mean_of(xs, weight):
    mean = torch.stack(list(xs)).mean(0)
    return mean if weight is None else mean * weight
