"""What the operators around attention mean."""

import torch
from torch import Tensor


def rotary_embedding(
    positions: Tensor,
    query: Tensor,
    key: Tensor | None,
    head_size: int,
    cos_sin_cache: Tensor,
    is_neox: bool,
) -> tuple[Tensor, Tensor | None]:
    """Return the new ``query`` and ``key``."""
    cos, sin = cos_sin_cache[positions].unsqueeze(-2).chunk(2, -1)
    rot_dim = cos_sin_cache.shape[1]

    def rotate(x: Tensor) -> Tensor:
        heads = x.unflatten(-1, (-1, head_size)) if x.numel() else x.reshape(*x.shape[:-1], 0, head_size)
        turned, rest = heads[..., :rot_dim], heads[..., rot_dim:]
        if is_neox:
            a, b = turned.chunk(2, -1)
            turned = torch.cat([a * cos - b * sin, a * sin + b * cos], -1)
        else:
            a, b = turned[..., ::2], turned[..., 1::2]
            turned = torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)
        return torch.cat([turned, rest], -1).reshape(x.shape)

    return rotate(query), None if key is None else rotate(key)


def reshape_and_cache(
    key: Tensor, value: Tensor, key_cache: Tensor, value_cache: Tensor, slot_mapping: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the new ``key_cache`` and ``value_cache``."""
    key_cache, value_cache = key_cache.clone(), value_cache.clone()
    for token, slot in enumerate(slot_mapping.tolist()):
        if slot >= 0:
            place = divmod(slot, key_cache.shape[1])
            key_cache[place], value_cache[place] = key[token], value[token]
    return key_cache, value_cache


def gather_cache(cache: Tensor, block_tables: Tensor, cu_seq_lens: Tensor, total: int) -> Tensor:
    """Return the rows of all sequences."""
    rows = []
    for blocks, length in zip(block_tables.long(), cu_seq_lens.diff().tolist(), strict=True):
        rows += [*cache[blocks].flatten(0, 1)[:length]]
    return torch.stack(rows) if total else cache.new_empty((0, *cache.shape[2:]))
