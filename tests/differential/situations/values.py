"""Dtypes, sizes, devices, and bits."""

from __future__ import annotations

from typing import Any

import torch
from observation import leaf, look, ramp

from .situation import EVERY, Call, Situations, on

SITUATIONS = situation = Situations()
WIDE, COMPLEX = torch.float64, torch.complex64


@situation()
def float64(call: Call) -> Any:
    return look(call, ramp(4, dtype=WIDE), ramp(4, dtype=WIDE))


@situation("writes", differs=on("casting", "in-place", "out=", "mutable", "list"))
def w_is_wider_than_y(call: Call) -> Any:
    return look(call, ramp(4, dtype=WIDE), ramp(4))


@situation("writes", differs=on("casting", "in-place", "out=", "mutable", "list"))
def w_is_narrower_than_y(call: Call) -> Any:
    return look(call, ramp(4), ramp(4, dtype=WIDE))


@situation("writes")
def w_holds_integers_and_y_does_not(call: Call) -> Any:
    return look(call, ramp(4, dtype=torch.int64), ramp(4))


@situation("writes")
def w_is_real_and_y_is_complex(call: Call) -> Any:
    return look(call, ramp(4), ramp(4, dtype=COMPLEX))


@situation("writes", differs=on("resizing", "out=", "two outs"))
def y_has_other_sizes(call: Call) -> Any:
    return look(call, ramp(4), ramp(3))


@situation("writes", differs=on("resizing", "out=", "two outs"))
def w_would_have_to_grow(call: Call) -> Any:
    return look(call, ramp(1, 4), ramp(3, 4))


@situation("writes", differs={"out=": "resizing"})
def w_has_no_elements_and_y_has(call: Call) -> Any:
    return look(call, torch.empty(0), ramp(4))


@situation("is_out")
def w_has_no_elements_and_another_dtype(call: Call) -> Any:
    return look(call, torch.empty(0, dtype=torch.int64), ramp(4))


@situation("is_out", differs={"two outs": "earlier"})
def w_has_no_elements_and_is_on_another_device(call: Call) -> Any:
    return look(call, torch.empty(0, device="meta"), ramp(4))


@situation("is_out", differs={"out=": "order"})
def w_has_no_elements_and_requires_grad(call: Call) -> Any:
    return look(call, leaf(0), ramp(4))


@situation("writes", differs=on("devices", "in-place", "mutable", "list"))
def w_is_on_another_device(call: Call) -> Any:
    return look(call, torch.empty(4, device="meta"), ramp(4))


@situation("writes", differs=on("devices", "in-place", "mutable", "list"))
def y_is_on_another_device(call: Call) -> Any:
    return look(call, ramp(4), torch.empty(4, device="meta"))


@situation("has_complex")
def complex_numbers(call: Call) -> Any:
    return look(call, ramp(4, dtype=COMPLEX) * 1j, ramp(4, dtype=COMPLEX))


@situation("has_complex", differs=on("conjugated lists", "list"))
def w_is_conjugated(call: Call) -> Any:
    base = ramp(4, dtype=COMPLEX) * 1j
    return look(call, base.conj(), ramp(4, dtype=COMPLEX), base=base)


@situation("has_complex")
def y_is_conjugated(call: Call) -> Any:
    return look(call, ramp(4, dtype=COMPLEX), (ramp(4, dtype=COMPLEX) * 1j).conj())


@situation("has_complex", differs=on("conjugated lists", "list"))
def both_are_conjugated(call: Call) -> Any:
    return look(call, (ramp(4, dtype=COMPLEX) * 1j).conj(), (ramp(4, dtype=COMPLEX) * 1j).conj())


@situation(differs=on("conjugated lists", "list"))
def w_is_negated(call: Call) -> Any:
    base = ramp(4, dtype=COMPLEX) * 1j
    return look(call, base.conj().imag, ramp(4), base=base)


@situation()
def y_is_negated(call: Call) -> Any:
    return look(call, ramp(4), (ramp(4, dtype=COMPLEX) * 1j).conj().imag)


@situation(differs=on("conjugated lists", "list"))
def y_is_negated_w(call: Call) -> Any:
    w = (ramp(4, dtype=COMPLEX) * 1j).conj().imag
    return look(call, w, w)


@situation("writes", "has_complex")
def a_conjugated_view_of_a_leaf(call: Call) -> Any:
    base = torch.ones(4, dtype=COMPLEX, requires_grad=True)
    return look(call, base.conj(), ramp(4, dtype=COMPLEX), base=base)


@situation()
def y_is_an_efficient_zero_tensor(call: Call) -> Any:
    return look(call, ramp(4), torch._efficientzerotensor(4))


@situation("writes")
def w_is_an_efficient_zero_tensor(call: Call) -> Any:
    w = torch._efficientzerotensor(4)
    return look(call, w, ramp(4))["result"]


@situation()
def a_subclass_without_rules(call: Call) -> Any:
    class Tagged(torch.Tensor):
        pass

    w = ramp(4).as_subclass(Tagged)
    seen = look(call, w, ramp(4))
    result = call(w, ramp(4))
    return seen, type(result[0] if isinstance(result, tuple) else result).__name__


@situation("writes", differs={EVERY: "order"})
def a_leaf_beside_a_wrong_size(call: Call) -> Any:
    return look(call, leaf(4), ramp(3))
