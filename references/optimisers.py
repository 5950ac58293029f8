"""What the steps of optimisers mean."""

import math
from typing import Any

import torch
from torch import Tensor


def adamw_step(
    param: Tensor,
    grad: Tensor,
    exp_avg: Tensor,
    exp_avg_sq: Tensor,
    max_exp_avg_sq: Tensor | None,
    average: Tensor | None,
    model_param: Tensor | None,
    anchor: Tensor | None,
    trainable: Tensor | None,
    grad_scale: Tensor | None,
    found_inf: Tensor | None,
    step: int,
    **options: Any,
) -> tuple[Tensor | None, ...]:
    """Return the new ``param``, moments, ``average`` and ``model_param``."""
    old = (param, exp_avg, exp_avg_sq, max_exp_avg_sq, average)
    o = options
    rate = _learning_rate(step, o) * o["lr_scale"]
    beta1, beta2 = o["beta1"], o["beta2"]
    g = grad if grad_scale is None else grad / grad_scale
    g = -g if o["maximize"] else g
    g = g if o["clip_grad"] is None else g.clamp(-o["clip_grad"], o["clip_grad"])
    decay = o["weight_decay"] * (param if anchor is None else param - anchor)
    if o["decoupled"]:
        param = param - rate * decay
    else:
        g = g + decay
    exp_avg = beta1 * exp_avg + (1 - beta1) * g
    exp_avg_sq = beta2 * exp_avg_sq + (1 - beta2) * g * g
    largest = exp_avg_sq if max_exp_avg_sq is None else torch.maximum(max_exp_avg_sq, exp_avg_sq)
    first, second = (1 - beta1**step, 1 - beta2**step) if o["bias_correction"] else (1, 1)
    root = (largest / second + o["eps"]).sqrt() if o["eps_in_root"] else (largest / second).sqrt() + o["eps"]
    update = exp_avg / first / root
    update = update if o["clip_update"] is None else update.clamp(-o["clip_update"], o["clip_update"])
    param = param - rate * update
    if average is not None:
        average = o["average_decay"] * average + (1 - o["average_decay"]) * param
    new = (param, exp_avg, exp_avg_sq, None if max_exp_avg_sq is None else largest, average)
    keeps = torch.tensor(found_inf is not None and bool(found_inf != 0))
    keeps = keeps if trainable is None else keeps | ~trainable
    kept = tuple(
        after if before is None or after is None else torch.where(keeps, before, after)
        for before, after in zip(old, new, strict=True)
    )
    return *kept, None if model_param is None else kept[0]


def _learning_rate(step: int, options: dict[str, Any]) -> float:
    lr, least, warmup = options["lr"], options["min_lr"], options["warmup_steps"]
    if step <= warmup:
        return lr * step / warmup
    if options["schedule"] == "constant":
        return lr
    done = min((step - warmup) / (options["total_steps"] - warmup), 1)
    left = 1 - done if options["schedule"] == "linear" else (1 + math.cos(math.pi * done)) / 2
    return least + (lr - least) * left
