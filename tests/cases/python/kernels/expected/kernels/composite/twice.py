"""The CompositeImplicitAutograd kernel of acme::twice. opgen wrote this file once; from now on it is yours."""

from __future__ import annotations

from torch import Tensor


def twice(x: Tensor) -> Tensor:
    # All that the contract says holds here. What is left: return the result.
    raise NotImplementedError("acme::twice: write the kernel in kernels/composite/twice.py")
