"""Arguments for ops of random expressions: special values beside ordinary ones, in memory of every layout."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from random_ops import Op
from torch import Tensor

_FLOATS = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-45, -1e-40, 3e38, 1.2e-38, 1.0, -1.0, 0.5, 2.5, -3.5]
_INTS = [-(2**63), 2**63 - 1, 0, -1, 1, 2, 7]


@dataclass(frozen=True)
class Call:
    """How an op is called.

    Attributes:
        specials: the share of special values among elements.
        sizes: of each dim; those of a run of dims as a tuple.
        numbers: what is passed behind the tensors.
        layout: 0 for all dense, else each tensor lies in another way.
    """

    specials: float
    sizes: dict[str, int | tuple[int, ...]]
    numbers: tuple[object, ...]
    layout: int
    has_w: bool


def calls(number: int, *, small: bool) -> Iterator[Call]:
    """Yield the calls of an op: with special values, without, with few, and of no elements."""
    m, n = (3, 9 + number % 24) if small else (5 + number % 23, 17 + number % 150)
    whole = {"l": 2, "m": m, "n": n, "*batch": [(2, m), (m,), ()][number % 3]}
    empty = {**whole, "lmn"[number % 3]: 0, "*batch": (2, 0)}
    yield Call(0.3, whole, (0.75, 3, True, -0.5), 1 + number, has_w=True)
    if not small or number % 2:
        yield Call(0.0, whole, (0.3, -2, False, None), 0, has_w=False)
    if not small or number % 4 == 0:
        yield Call(0.1, empty, (0.75, 1, True, None), 0, has_w=True)
    if not small or number % 4 == 2:
        yield Call(0.1, {"l": 1, "m": 1, "n": 1, "*batch": ()}, (0.75, 1, True, None), 0, has_w=True)
    if not small:
        yield Call(0.01, whole, (-1.5, 7, True, 0.25), 2 + number, has_w=number % 2 == 0)


def arguments(op: Op, call: Call, generator: torch.Generator) -> list[Tensor | None]:
    """Return the tensors that an op is called with."""
    found: list[Tensor | None] = []
    for place, name in enumerate(op.arguments):
        if name == "w" and not call.has_w:
            found.append(None)
            continue
        shape: list[int] = []
        for dim in op.dims[name]:
            size = 2 * int(call.sizes["n"]) if dim == "2*n" else call.sizes[dim]
            shape += [size] if isinstance(size, int) else size
        dtype = getattr(torch, op.dtypes[name])
        found.append(
            laid_out(_values(shape, dtype, call.specials, generator), (call.layout + place) % 6 if call.layout else 0)
        )
    return found


def laid_out(tensor: Tensor, layout: int) -> Tensor:
    """Return the same elements, lying in another way."""
    if layout == 1 and tensor.dim():
        return torch.stack([tensor, tensor], dim=-1).flatten(-2)[..., ::2]
    if layout == 2:
        return torch.cat([tensor.new_ones(1), tensor.flatten()])[1:].view(tensor.shape)  # from an odd address on
    if layout == 3 and tensor.dim() > 1:
        return tensor.transpose(0, -1).contiguous().transpose(0, -1)
    if layout == 4 and tensor.dim() > 1:
        return torch.cat([tensor, tensor], dim=-1)[..., : tensor.size(-1)]
    return tensor


def _values(shape: Sequence[int], dtype: torch.dtype, share: float, generator: torch.Generator) -> Tensor:
    if dtype == torch.bool:
        return torch.rand(shape, generator=generator) < 0.5
    if dtype.is_floating_point:
        values = torch.randn(shape, generator=generator, dtype=torch.float64) * 3
        return _mixed(values.to(dtype), torch.tensor(_FLOATS, dtype=torch.float64).to(dtype), share, generator)
    limits = torch.iinfo(dtype)
    values = torch.randint(max(-100, limits.min), 100, shape, generator=generator).to(dtype)
    special = torch.tensor([min(max(each, limits.min), limits.max) for each in _INTS], dtype=dtype)
    return _mixed(values, special, share, generator)


def _mixed(values: Tensor, special: Tensor, share: float, generator: torch.Generator) -> Tensor:
    chosen = torch.randint(len(special), values.shape, generator=generator)
    return torch.where(torch.rand(values.shape, generator=generator) < share, special[chosen], values)
