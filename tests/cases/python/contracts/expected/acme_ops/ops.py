"""The operators of `torch.ops.acme` as functions; `ops.pyi` has their types."""

import torch

_add_out = torch.ops.acme.add.out
_add_ = torch.ops.acme.add_.default
_positive = torch.ops.acme.positive.default
_rms_norm = torch.ops.acme.rms_norm.default
_scaled = torch.ops.acme.scaled.default
_silu_and_mul = torch.ops.acme.silu_and_mul.default
_total = torch.ops.acme.total.default
_version = torch.ops.acme.version.default


def add_out(x, y, *, out):
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
    return _add_out(x, y, out=out)


def add_(x, y):
    """Add `y` to `x` in place.

    Args:
        x (written): float [*shape]
        y: x.dtype [*shape]

    Returns:
        the argument `x`

    Schema:
        acme::add_(Tensor(a!) x, Tensor y) -> Tensor(a!)
    """
    return _add_(x, y)


def positive(x):
    """Tell the places of all positive elements.

    Args:
        x: float32 [n]

    Returns:
        int64 [?count <= n]

    Schema:
        acme::positive(Tensor x) -> Tensor
    """
    return _positive(x)


def rms_norm(x, weight, eps=1e-06):
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
    return _rms_norm(x, weight, eps)


def scaled(x, *, scale=None, mode="double", pad=(0, 0), dtype=None):
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
    return _scaled(x, scale=scale, mode=mode, pad=pad, dtype=dtype)


def silu_and_mul(out, x):
    """Call ``acme::silu_and_mul``.

    Args:
        out (filled): x.dtype [*batch, d] contiguous
        x: float [*batch, 2*d]

    Schema:
        acme::silu_and_mul(Tensor(a!) out, Tensor x) -> ()
    """
    return _silu_and_mul(out, x)


def total(parts, bias, start=0.0):
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
    return _total(parts, bias, start)


def version():
    """Tell the version of the kernels, as "major * 100 + minor".

    Returns:
        int

    Schema:
        acme::version() -> int
    """
    return _version()
