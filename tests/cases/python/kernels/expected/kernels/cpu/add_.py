"""The CPU kernel of acme::add_. opgen wrote this file once; from now on it is yours."""

from __future__ import annotations

from torch import Tensor


def add_(x: Tensor, y: Tensor, len_: Tensor | None) -> None:
    # All that the contract says holds here. What is left: fill x.
    raise NotImplementedError("acme::add_: write the kernel in kernels/cpu/add_.py")
