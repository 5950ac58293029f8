# ruff: noqa: F821, INP001, ARG001 - `bare` and `torch` are given by the stand-in; a kernel takes what its op takes
"""Kernels without a fault."""


def add_(x, y):
    x.add_(y)


def add_out(x, y, out):
    torch.add(x, y, out=out)


def rms_norm(x, weight, eps, out):
    wide = x.double()
    out.copy_(wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps) * weight)


def silu_and_mul(out, x):
    left, right = x.double().chunk(2, -1)
    out.copy_(torch.nn.functional.silu(left) * right)


def scaled(x, scale, mode, pad, dtype, low, high):
    for out in (low, high):
        out.copy_(x * 2 if mode == "double" else x / 2)


def total(parts, bias, start, out):
    out.copy_(sum(parts) + start + (0 if bias is None else bias))


@bare
def positive(x):
    if x.dim() != 1 or x.dtype != torch.float32:
        message = f"argument 'x': got {str(x.dtype).removeprefix('torch.')}, got a {x.dim()}-dim tensor"
        raise RuntimeError(message)
    return (x > 0).nonzero().flatten()


@bare
def version():
    return 100
