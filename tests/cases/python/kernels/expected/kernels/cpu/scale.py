"""The CPU kernel of acme::scale. opgen wrote this file once; from now on it is yours."""

from __future__ import annotations

from torch import Tensor


def scale(x: Tensor, by: float, out: Tensor) -> None:
    # All that the contract says holds here. What is left: fill out.
    raise NotImplementedError("acme::scale: write the kernel in kernels/cpu/scale.py")
