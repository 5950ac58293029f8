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


def adamw_steps() -> Iterator[Sample]:
    """Yield steps with each option on its own and with all at once; squares are not negative, unlike random numbers."""
    tensors = ("average", "model_param", "anchor", "trainable", "grad_scale")
    options: list[Sample] = [
        {"step": 1},
        {"step": 3, "max_exp_avg_sq": True, "amsgrad": True, "eps_in_root": True, "eps": 1e-3},
        {"step": 7, "maximize": True, "decoupled": False, "weight_decay": 0.1, "clip_grad": 0.5, "clip_update": 0.25},
        {"step": 2, "warmup_steps": 5, "bias_correction": False, "lr": 0.1, "beta1": 0.5, "beta2": 0.75},
        {"step": 9, "warmup_steps": 5, "total_steps": 20, "schedule": "linear", "lr": 0.1, "min_lr": 0.01},
        {"step": 9, "total_steps": 20, "schedule": "cosine", "lr": 0.1, "min_lr": 0.01, "lr_scale": 0.5},
        *({"step": 2, "lr": 0.1, name: True} for name in tensors),
        {"step": 4, "model_param": True, "found_inf": 1.0, "lr": 0.1},
        {"step": 4, "found_inf": 0.0, "average_decay": 0.5, "amsgrad": True, "max_exp_avg_sq": True, "lr": 0.1}
        | dict.fromkeys(tensors, True),
    ]
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        for place, chosen in enumerate(options):
            yield _adamw_step(dtype, ((5, 7), (300,), (), (0, 3))[place % 4], chosen, spread=place % 2 == 0)


def _adamw_step(dtype: torch.dtype, shape: tuple[int, ...], chosen: Sample, *, spread: bool) -> Sample:
    generator = _numbers()

    def numbers(name: str) -> Tensor:
        drawn = torch.randn(shape, generator=generator)
        if name == "trainable":
            return drawn > 0
        kind = torch.float16 if name == "model_param" else dtype
        found = (drawn.square() if name.endswith("_sq") else drawn).to(kind)
        return _spread(found) if spread else found

    names = [
        "param",
        "grad",
        "exp_avg",
        "exp_avg_sq",
        "max_exp_avg_sq",
        "average",
        "model_param",
        "anchor",
        "trainable",
    ]
    sample: Sample = {name: numbers(name) if name in names[:4] or name in chosen else None for name in names}
    scale = torch.tensor(4.0) if "grad_scale" in chosen else None
    found = torch.tensor(chosen["found_inf"]) if "found_inf" in chosen else None
    rest = {name: value for name, value in chosen.items() if name not in sample}
    return {**sample, **rest, "grad_scale": scale, "found_inf": found}


def _numbers() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def _spread(values: Tensor) -> Tensor:
    """Return the same elements, each followed by a gap."""
    return torch.stack([values, torch.full_like(values, torch.nan)], -1)[..., 0]
