"""Samples for operators whose contract does not say enough of the values that make sense."""

from collections.abc import Iterator

import torch
from torch import Tensor

Sample = dict[str, object]


def boxes() -> Iterator[Sample]:
    """Yield boxes that overlap, of distinct and of equal scores, with gaps between their elements, and none at all."""
    for dtype in (torch.float32, torch.float64):
        for count in (40, 1, 0):
            corners = torch.rand(count, 2, dtype=dtype, generator=_numbers()) * 8
            sizes = 1 + torch.rand(count, 2, dtype=dtype, generator=_numbers()) * 3
            found = torch.cat([corners, corners + sizes], 1)
            scores = torch.rand(count, dtype=dtype, generator=_numbers())
            yield {"boxes": found, "scores": scores, "iou_threshold": 0.3}
            yield {"boxes": _spread(found.T).T, "scores": _spread((scores * 4).round()), "iou_threshold": 0.1}
        unordered = torch.tensor([0.5, torch.nan, 2.0, torch.nan], dtype=dtype)
        same = torch.tensor([[0.0, 0.0, 1.0, 1.0]] * 3 + [[0.0, torch.nan, 1.0, 1.0]], dtype=dtype)
        yield {"boxes": same, "scores": unordered, "iou_threshold": 0.5}


def _numbers() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def _spread(values: Tensor) -> Tensor:
    """Return the same elements, each followed by a gap."""
    return torch.stack([values, torch.full_like(values, torch.nan)], -1)[..., 0]
