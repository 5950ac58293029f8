from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

def add_out(x: Tensor, y: Tensor, *, out: Tensor) -> Tensor:
    """Call ``acme::add.out``.

    Args:
        x: float [*shape]
        y: x.dtype [*shape]
        out (filled): x.dtype [*shape] any

    Returns:
        the argument `out`

    Schema:
        acme::add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)
    """

def add_(x: Tensor, y: Tensor) -> Tensor:
    """Add `y` to `x` in place.

    Args:
        x (written): float [*shape]
        y: x.dtype [*shape]

    Returns:
        the argument `x`

    Schema:
        acme::add_(Tensor(a!) x, Tensor y) -> Tensor(a!)
    """

def positive(x: Tensor) -> Tensor:
    """Tell the places of all positive elements.

    Args:
        x: float32 [n]

    Returns:
        int64 [?count <= n]

    Schema:
        acme::positive(Tensor x) -> Tensor
    """

def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-06) -> Tensor:
    """Root-mean-square normalisation over the last dimension.

    Sums are taken in float32 for the half types.

    Args:
        x: float [*batch, hidden]
        weight: x.dtype [hidden]
        eps: float

    Requires:
        eps > 0

    Returns:
        x.dtype [*batch, hidden]

    Schema:
        acme::rms_norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor
    """

def scaled(
    x: Tensor,
    *,
    scale: float | None = None,
    mode: Literal["double", "half"] = "double",
    pad: Sequence[int] = (0, 0),
    dtype: torch.dtype | None = None,
) -> tuple[Tensor, Tensor]:
    """Call ``acme::scaled``.

    Args:
        x: float32 [n]
        scale (optional): float | None
        mode: str
        pad: Sequence[int]
        dtype (optional): torch.dtype | None

    Requires:
        mode in ('double', 'half')

    Returns:
        low: float32 [n]
        high: float64 [n]

    Schema:
        acme::scaled(Tensor x, *, float? scale=None, str mode="double", SymInt[2] pad=0, ScalarType? dtype=None) -> (Tensor low, Tensor high)
    """

def silu_and_mul(out: Tensor, x: Tensor) -> None:
    """Call ``acme::silu_and_mul``.

    Args:
        out (filled): x.dtype [*batch, d] contiguous
        x: float [*batch, 2*d]

    Schema:
        acme::silu_and_mul(Tensor(a!) out, Tensor x) -> ()
    """

def total(parts: Sequence[Tensor], bias: Tensor | None, start: float = 0.0) -> Tensor:
    """Call ``acme::total``.

    Args:
        parts: float32 [n]
        bias (optional): float32 [n]
        start: float

    Requires:
        len(parts) > 0

    Returns:
        float32 [n]

    Schema:
        acme::total(Tensor[] parts, Tensor? bias, float start=0.0) -> Tensor
    """

def version() -> int:
    """Tell the version of the kernels, as "major * 100 + minor".

    Returns:
        int

    Schema:
        acme::version() -> int
    """
