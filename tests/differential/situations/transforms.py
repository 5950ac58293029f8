"""`torch.vmap` and the transforms of `torch.func`."""

from __future__ import annotations

from typing import Any

import torch
from observation import attempt, plain, ramp, version
from torch import Tensor

from .situation import Call, Situations, on

SITUATIONS = situation = Situations()
BATCHED = on("batched", "out=", "two outs", "list")


def _after(call: Call, w: Tensor, y: Tensor) -> Tensor:
    """Return the result of a call on a copy of `w`, or that copy where there is none."""
    w = w.clone()
    result = call(w, y)
    return result[0] if isinstance(result, tuple) else w if result is None else result


@situation(differs=BATCHED)
def vmap(call: Call) -> Any:
    return attempt(lambda: plain(torch.vmap(lambda w, y: _after(call, w, y))(ramp(3, 4), ramp(3, 4))))


@situation("writes", differs=BATCHED)
def vmap_over_what_the_caller_passes(call: Call) -> Any:
    w = ramp(3, 4)

    def run(w: Tensor, y: Tensor) -> Tensor:
        call(w, y)
        return y

    return attempt(lambda: plain(torch.vmap(run)(w, ramp(3, 4)))), plain(w)


@situation("writes", differs=BATCHED | on("slices", "in-place", "mutable"))
def vmap_the_version_goes_up(call: Call) -> Any:
    w = ramp(3, 4)
    failure = attempt(lambda: torch.vmap(lambda w, y: (call(w, y), y)[1])(w, ramp(3, 4)) is None)
    return failure, version(w)


@situation(differs=BATCHED)
def vmap_over_another_dimension(call: Call) -> Any:
    run = torch.vmap(lambda w, y: _after(call, w, y), in_dims=(1, 0), out_dims=1)
    return attempt(lambda: plain(run(ramp(4, 3), ramp(3, 4))))


@situation(differs=on("batched", "out="))
def vmap_over_w_alone(call: Call) -> Any:
    run = torch.vmap(lambda w, y: _after(call, w, y), in_dims=(0, None))
    return attempt(lambda: plain(run(ramp(3, 4), ramp(4))))


@situation("writes", differs=on("captured", "in-place", "mutable"))
def vmap_over_y_alone(call: Call) -> Any:
    w = ramp(4)
    run = torch.vmap(lambda y: (call(w, y), y)[1])
    return attempt(lambda: plain(run(ramp(3, 4)))), plain(w)


@situation(differs=BATCHED)
def vmap_in_vmap(call: Call) -> Any:
    run = torch.vmap(torch.vmap(lambda w, y: _after(call, w, y)))
    return attempt(lambda: plain(run(ramp(2, 3, 4), ramp(2, 3, 4))))


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable", "list"))
def func_grad_by_w(call: Call) -> Any:
    return attempt(lambda: plain(torch.func.grad(lambda w: (_after(call, w * w, ramp(4)) ** 2).sum())(ramp(4))))


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable", "list"))
def func_grad_by_y(call: Call) -> Any:
    return attempt(lambda: plain(torch.func.grad(lambda y: _after(call, torch.zeros(4), y * y).sum())(ramp(4))))


@situation()
def func_grad_by_something_else(call: Call) -> Any:
    fixed = ramp(4)
    return attempt(lambda: plain(torch.func.grad(lambda x: (x * _after(call, fixed, fixed)).sum())(ramp(4))))


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable", "list"))
def func_grad_of_func_grad(call: Call) -> Any:
    def loss(x: Tensor) -> Tensor:
        return (_after(call, x**3, ramp(4)) * x).sum()

    return attempt(lambda: plain(torch.func.grad(lambda x: torch.func.grad(loss)(x).sum())(ramp(4))))


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable") | on("batched", "list"))
def vmap_of_func_grad(call: Call) -> Any:
    run = torch.vmap(torch.func.grad(lambda w, y: _after(call, w * w, y).sum()), in_dims=(0, 0))
    return attempt(lambda: plain(run(ramp(3, 4), ramp(3, 4))))


@situation(
    differs=on("forward mode", "functional", "in-place", "mutable", "list")
    | on("no formula", "functional, no derivative")
)
def func_jvp(call: Call) -> Any:
    run = torch.func.jvp
    return attempt(lambda: plain(run(lambda w: _after(call, w * w, ramp(4)), (ramp(4),), (torch.ones(4),))))


@situation()
def func_functional_call_of_a_module(call: Call) -> Any:
    class Step(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(ramp(4))

        def forward(self, y: Tensor) -> Tensor:
            return self.weight.detach() * _after(call, ramp(4), y)

    return plain(torch.func.functional_call(Step(), {"weight": torch.ones(4)}, (ramp(4),)))
