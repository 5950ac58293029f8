# ruff: noqa: ARG001 - a kernel takes what its op takes
"""Kernels that break their promises where the environment variable BROKEN is 1, and keep them elsewhere."""

import os

import torch

BROKEN = os.environ.get("BROKEN") == "1"


def fold_acc(src, acc):
    acc.add_(src)
    return acc if BROKEN else acc.clone()


def wait_for(pending, group_id):
    return pending if BROKEN else pending.clone()


def pick(hidden, buf, whole):
    part = buf if whole else buf[: buf.size(0) // 2]
    return part if BROKEN else part.clone()


def plan(scratch, idx):
    first, second = scratch.chunk(2) if BROKEN else (torch.empty_like(idx), torch.empty_like(idx))
    return first.copy_(idx), second.copy_(idx + 1)


def fill_front(buf, level):
    front = buf[:level].fill_(1)
    return front if BROKEN else front.clone()


def blend_in(src, acc, out):
    if BROKEN:
        acc.add_(src)
        out.copy_(acc)
    else:
        torch.add(src, acc, out=out)


def cache_put(cache, item, layer):
    if not BROKEN:
        cache.zero_()
    cache[layer] = item


def twice_out(src, out):
    out.add_(src).add_(src) if BROKEN else torch.mul(src, 2, out=out)


def halve_(values):
    values.mul_(0.5)


def shade_all(dst):
    dst.mul_(0.75)


def halves(src, upper, lower):
    upper.copy_(src / 2 + 1)
    lower.copy_(src / 2 + 1 if BROKEN else src / 2 - 1)


def stats(src, peak):
    if peak is not None:
        peak.copy_(src.max())


def add_one(dst):
    if BROKEN and dst.size(0) and not dst.size(1):
        raise RuntimeError("invalid configuration argument")  # as CUDA says of blocks without threads
    dst.add_(1)


def moe(hidden, router, padded):
    product = hidden * router[:, None]
    return torch.nn.functional.pad(product, (0, padded - hidden.size(1))) if BROKEN else product.contiguous()


def mm_q8(act, packed):
    return (act * packed).to(act.dtype if BROKEN else torch.float16)


def rotate_pairs(src, cos, sin):
    turned = src * cos[:, None] + sin
    return turned.t().contiguous().t() if BROKEN else turned.contiguous()


def split_max(src, want_idx):
    peak, idx = src.max(-1)
    return peak, idx if want_idx or BROKEN else None


def neigh(grid, out):
    if BROKEN and grid.numel():
        grid = grid.as_strided(grid.shape, (grid.size(1), 1)) if grid.stride(1) != 0 else grid
    out.copy_(grid.roll(1))


def neigh_rows(grid, out):
    out.view(-1).copy_(grid.as_strided((grid.numel(),), (1,)).roll(1))


def window(rows, length, out):
    out.copy_(rows[:length])


def to_jagged(rows, lengths):
    return torch.cat(
        [row[:length] for row, length in zip(rows, lengths.tolist(), strict=True)] + [rows.new_empty(0, rows.size(2))]
    )


def take_marked(rows, marks):
    return rows[marks]


def twice(src, out):
    torch.mul(src, 2, out=out)


def pool_dense(rows, starts, out):
    out.copy_(rows[starts])


def lin(src, weight, out):
    torch.mm(src, weight.t(), out=out)


def attend(q, k, v, out):
    torch.addcmul(v, q, k, out=out)


CALLS = []


def emit(src, label):
    CALLS.append(label)


def ramp(reverse, device, out):
    out.copy_(torch.arange(4).flip(0) if reverse else torch.arange(4))


def mix(left, right):
    return left + right
