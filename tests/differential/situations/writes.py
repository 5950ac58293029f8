"""Writes as autograd counts them."""

from __future__ import annotations

import threading
from typing import Any

import torch
from observation import attempt, gradients, leaf, look, plain, ramp, version

from .situation import Call, Situations, on

SITUATIONS = situation = Situations()


@situation()
def a_tensor(call: Call) -> Any:
    return look(call, ramp(4), ramp(4))


@situation()
def a_view(call: Call) -> Any:
    base = ramp(2, 4)
    return look(call, base[1], ramp(4), base=base)


@situation()
def a_view_of_a_view(call: Call) -> Any:
    base = ramp(2, 2, 4)
    return look(call, base[1][0], ramp(4), base=base)


@situation()
def a_detached_tensor(call: Call) -> Any:
    base = leaf(4)
    return look(call, base.detach(), ramp(4), base=base)


@situation()
def the_data_of_a_leaf(call: Call) -> Any:
    base = leaf(4)
    return look(call, base.data, ramp(4), base=base)


@situation()
def twice(call: Call) -> Any:
    w = ramp(4)
    call(w, ramp(4))
    return look(call, w, ramp(4))


@situation()
def no_grad(call: Call) -> Any:
    with torch.no_grad():
        return look(call, ramp(4), ramp(4))


@situation()
def inference_mode(call: Call) -> Any:
    w, y = ramp(4), ramp(4)
    with torch.inference_mode():
        return look(call, w, y)


@situation()
def a_view_in_inference_mode(call: Call) -> Any:
    base = ramp(2, 4)
    with torch.inference_mode():
        call(base[0], ramp(4))
    return plain(base), version(base)


@situation()
def an_inference_tensor_in_inference_mode(call: Call) -> Any:
    with torch.inference_mode():
        return look(call, ramp(4), ramp(4))


@situation(differs=on("earlier", "in-place", "out=", "mutable", "list", "in-place, no derivative"))
def an_inference_tensor_outside_of_it(call: Call) -> Any:
    with torch.inference_mode():
        w = ramp(4)
    return look(call, w, ramp(4))


@situation()
def an_inference_tensor_is_read(call: Call) -> Any:
    with torch.inference_mode():
        y = ramp(4)
    return look(call, ramp(4), y)


@situation("writes")
def a_leaf_that_requires_grad(call: Call) -> Any:
    return look(call, leaf(4), ramp(4))


@situation("writes")
def a_view_of_such_a_leaf(call: Call) -> Any:
    base = leaf(2, 4)
    return look(call, base[0], ramp(4), base=base)


@situation("writes")
def such_a_leaf_under_no_grad(call: Call) -> Any:
    w = leaf(4)
    with torch.no_grad():
        return look(call, w, ramp(4))


@situation("writes")
def a_view_of_such_a_leaf_under_no_grad(call: Call) -> Any:
    base = leaf(2, 4)
    with torch.no_grad():
        return look(call, base[0], ramp(4), base=base)


@situation("writes")
def a_view_made_under_no_grad_is_written_in_grad_mode(call: Call) -> Any:
    base = leaf(2, 4)
    with torch.no_grad():
        w = base[0]
    return look(call, w, ramp(4), base=base)


@situation("writes")
def such_a_leaf_in_inference_mode(call: Call) -> Any:
    w = leaf(4)
    with torch.inference_mode():
        return look(call, w, ramp(4))


@situation("writes")
def a_parameter_under_no_grad(call: Call) -> Any:
    w = torch.nn.Parameter(ramp(4))
    with torch.no_grad():
        return look(call, w, ramp(4))


@situation("writes")
def a_saved_tensor_is_overwritten(call: Call) -> Any:
    x = torch.ones(4, requires_grad=True)
    saved = (x * 2).exp()
    call(saved.detach(), ramp(4))
    return gradients(saved.sum, x)


@situation("writes")
def a_saved_tensor_is_overwritten_under_no_grad(call: Call) -> Any:
    x = torch.ones(4, requires_grad=True)
    saved = (x * 2).exp()
    with torch.no_grad():
        call(saved, ramp(4))
    return gradients(saved.sum, x)


@situation("writes")
def a_saved_tensor_is_overwritten_through_a_view(call: Call) -> Any:
    x = torch.ones(8, requires_grad=True)
    saved = (x * 2).exp()
    call(saved.detach().view(2, 4)[1], ramp(4))
    return gradients(saved.sum, x)


@situation("writes")
def a_saved_tensor_is_overwritten_in_inference_mode(call: Call) -> Any:
    x = torch.ones(4, requires_grad=True)
    saved = (x * 2).exp()
    with torch.inference_mode():
        attempt(lambda: call(saved.detach(), ramp(4)))
    return gradients(saved.sum, x)


@situation("writes")
def an_input_that_others_saved_is_only_read(call: Call) -> Any:
    x = torch.ones(4, requires_grad=True)
    saved = (x * 2).exp()
    call(ramp(4), saved.detach())
    return gradients(saved.sum, x)


@situation()
def two_threads(call: Call) -> Any:
    seen: dict[int, Any] = {}

    def run(place: int) -> None:
        w = ramp(64)
        for _ in range(50):
            call(w, ramp(64))
        seen[place] = plain(w), version(w)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen
