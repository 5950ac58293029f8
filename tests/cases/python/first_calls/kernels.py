# ruff: noqa: ARG001 - a kernel takes what its op takes, and then the allocated outputs
"""Kernels whose first call shows a fault, of theirs or of their reference."""

CALLS = []


def counted(x, out):
    CALLS.append(x)
    out.fill_(len(CALLS))


def narrow(x, out):
    return x.int()


def short(x, out):
    return x[:-1].clone()


def unknown(x, out):
    out.copy_(x)


def unfound(x, out):
    out.copy_(x)


def raising(x, out):
    raise TypeError("not today")
