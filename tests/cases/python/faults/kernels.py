# ruff: noqa: F821, INP001, ARG001 - `bare` and `torch` are given by the stand-in; a kernel takes what its op takes
"""Kernels with one fault each. One that returns something hands that to the caller."""


def fold_acc(src, acc, out):
    acc.add_(src)
    return acc


def blend_in(src, acc, out):
    acc.add_(src).add_(1)
    out.copy_(acc)


def wait_for(pending, group_id, out):
    return pending


def pick(hidden, buf, whole, out):
    return buf if whole else buf[:]


def plan(scratch, idx, out0, out1):
    return scratch[: idx.size(0)], scratch[idx.size(0) :]


def fill_front(buf, level, out):
    buf[:level] = 1
    return buf[:level]


def moe(hidden, router, padded, out):
    return hidden.new_zeros(hidden.size(0), padded)


def mm_q8(act, packed, out):
    return act * packed.to(act.dtype)


def rotate_pairs(src, cos, sin, out):
    return torch.zeros_like(src.t()).t()


def cache_put(cache, item, layer):
    cache[layer] = item


def twice_out(src, out):
    out.add_(src)


@bare
def halve_(values):
    if torch.is_grad_enabled() and values.requires_grad:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    values.data.mul_(0.5)
    return values


@bare
def quarter_(values):
    torch.autograd.graph.increment_version(values)
    values.data.mul_(0.25)
    return values


@bare
def copied_(values):
    values.data.mul_(0.25)
    return values.clone()


@bare
def unchecked(x, y):
    return torch.zeros(x.size(0)) if x.dim() else torch.zeros(1)


def rounded(x, out):
    out.copy_((x.float() / 3).double())


def crashing(x, out):
    message = "the kernel gave up"
    raise ValueError(message)


def known(x, out):
    out.copy_(x - 1)


def mended(x, out):
    out.copy_(x + 1)
