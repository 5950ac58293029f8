"""Gradients."""

from __future__ import annotations

from typing import Any

import torch
from observation import attempt, gradients, leaf, plain, ramp
from torch import Tensor

from .situation import Call, Situations, on

SITUATIONS = situation = Situations()


def _result(call: Call, w: Tensor, y: Tensor) -> Tensor:
    """Return what a call gives, or `w` where it returns nothing."""
    result = call(w, y)
    return result[0] if isinstance(result, tuple) else w if result is None else result


@situation(differs=on("no formula", "functional, no derivative"))
def w_is_a_leaf_that_requires_grad(call: Call) -> Any:
    w = leaf(4)
    return gradients(lambda: _result(call, w, ramp(4)), w)


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable", "list"))
def y_requires_grad(call: Call) -> Any:
    y = leaf(4)
    return gradients(lambda: _result(call, torch.zeros(4), y), y)


@situation()
def y_requires_grad_under_no_grad(call: Call) -> Any:
    y = leaf(4)
    with torch.no_grad():
        result = _result(call, ramp(4), y)
    return plain(result), result.requires_grad


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable", "list"))
def w_is_part_of_a_graph(call: Call) -> Any:
    x = leaf(4)
    return gradients(lambda: _result(call, x * 3, ramp(4)), x)


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable", "list"))
def w_is_a_view_of_a_part_of_a_graph(call: Call) -> Any:
    x = leaf(2, 4)

    def loss() -> Tensor:
        base = x * 3
        result = _result(call, base[0], ramp(4))
        return base.sum() + result.sum()

    return gradients(loss, x)


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable", "list"))
def both_require_grad(call: Call) -> Any:
    x, y = leaf(4), leaf(4)
    return gradients(lambda: _result(call, x * 3, y), x, y)


@situation()
def w_is_part_of_a_graph_under_no_grad(call: Call) -> Any:
    x = leaf(4)
    w = x * 3
    with torch.no_grad():
        result = attempt(lambda: _result(call, w, ramp(4)))
    return plain(w), w._version, gradients(w.sum, x), getattr(result, "requires_grad", result)


@situation("writes", differs=on("at the call", "mutable", "list"))
def w_is_a_saved_part_of_a_graph(call: Call) -> Any:
    x = leaf(4)

    def loss() -> Tensor:
        w = x.exp()
        call(w, ramp(4))
        return w

    return gradients(loss, x)


@situation(differs=on("no formula", "functional, no derivative") | on("at the call", "mutable", "list"))
def of_gradients(call: Call) -> Any:
    x = leaf(4)

    def run() -> Any:
        (first,) = torch.autograd.grad(_result(call, x * x, ramp(4)).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        return plain(first), plain(second)

    return attempt(run)


@situation()
def with_tensors_that_require_none(call: Call) -> Any:
    result = _result(call, ramp(4), ramp(4))
    return result.requires_grad, result.grad_fn is None


@situation("writes")
def in_a_function_that_marks_its_argument_dirty(call: Call) -> Any:
    class Step(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, w: Tensor, y: Tensor) -> Tensor:
            call(w, y)
            ctx.mark_dirty(w)
            return w

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:  # noqa: ARG004 - the signature is PyTorch's
            return 2 * grad, None

    x = leaf(4)
    return gradients(lambda: Step.apply(x * 1, ramp(4)), x)


@situation()
def of_something_else_that_reads_the_result(call: Call) -> Any:
    x = leaf(4)
    return gradients(lambda: x * _result(call, ramp(4), ramp(4)), x)


@situation()
def under_checkpoint(call: Call) -> Any:
    x = leaf(4)

    def part(x: Tensor) -> Tensor:
        return x * _result(call, ramp(4), x.detach())

    return gradients(lambda: torch.utils.checkpoint.checkpoint(part, x, use_reentrant=False), x)
