"""What the operators mean, where one expression can't say it, and the fake kernels that no contract gives."""

import torch
from torch import Tensor


def smooth(x: Tensor, state: Tensor | None, bias: Tensor | None, decay: float) -> tuple[Tensor | None, Tensor]:
    if state is None:
        return None, x
    state = decay * state + (1 - decay) * x
    return state, state if bias is None else state + bias


def note_peak(src: Tensor, peak: Tensor | None, history: list[Tensor]) -> tuple[Tensor | None, list[Tensor]]:
    most = src.max()
    return None if peak is None else most, [torch.full_like(tensor, most) for tensor in history]


def copy_blocks(key_caches: list[Tensor], value_caches: list[Tensor], block_pairs: Tensor) -> tuple[list[Tensor], ...]:
    for cache in (*key_caches, *value_caches):
        for source, target in block_pairs.tolist():
            cache[target] = cache[source]
    return key_caches, value_caches


def rotate(
    positions: Tensor, query: Tensor, key: Tensor | None, head_size: int, table: Tensor, neox: bool
) -> tuple[Tensor | None, ...]:
    cos, sin = table[positions][..., None, :].chunk(2, -1)

    def turned(x: Tensor | None) -> Tensor | None:
        if x is None:
            return None
        a, b = x.unflatten(-1, (x.shape[-1] // head_size, head_size)).chunk(2, -1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)

    return turned(query), turned(key)


def quantize(x: Tensor, block: int) -> tuple[Tensor, Tensor]:
    blocks = torch.nn.functional.pad(x, (0, -x.shape[1] % block)).unflatten(1, (-(x.shape[1] // -block), block))
    most = blocks.abs().amax(-1)
    q = (blocks / most.clamp(min=1e-30)[..., None] * 127).round()
    return q.flatten(1)[:, : x.shape[1]], most / 127


def bags(
    rows: Tensor, ids: Tensor, starts: Tensor, mode: str, weights: Tensor | None, last: bool
) -> Tensor:
    starts = starts if last else torch.cat([starts, starts.new_tensor([len(ids)])])
    picked = rows[ids.long()] if weights is None else rows[ids.long()] * weights[:, None]
    parts = [picked[first:end] for first, end in zip(starts[:-1], starts[1:], strict=True)]
    sums = [part.sum(0) / (max(len(part), 1) if mode == "mean" else 1) for part in parts]
    return torch.stack(sums) if sums else rows.new_empty(0, rows.shape[1])


def runs(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    values, counts = torch.unique_consecutive(x, return_counts=True)
    return values, counts, torch.tensor(len(values))


def fake_halves(x: Tensor) -> list[Tensor]:
    middle = x.shape[0] // 2
    return [x[:middle].clone(), x[middle:].clone()]
