"""Fake kernels: they check a call as the real ones do and give results without data."""

# mypy: disable-error-code="no-untyped-call"
# torch._check carries no annotations.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from ._checks import Checker
from ._checks import new_size as _new_size
from ._schemas import DEFINED
from ._tracing import register
from ._tracing import write as _write
from ._tracing import write_out as _write_out


def fake_add_out(x: Tensor, y: Tensor, *, out: Tensor) -> Tensor:
    check = Checker("acme::add.out")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.same_dtype(y, "y", x, "x")
    check.same_dtype(out, "out", x, "x")
    check.same_device(y, "y", x, "x")
    check.same_device(out, "out", x, "x")
    shape = x.shape
    check.shape(y, "y", shape, "*shape, as in x.shape")
    check.shape(out, "out", shape, "*shape, as in x.shape")
    _write_out("add", [out], [x, y])
    return out


def fake_add_(x: Tensor, y: Tensor) -> Tensor:
    check = Checker("acme::add_")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.same_dtype(y, "y", x, "x")
    check.same_device(y, "y", x, "x")
    shape = x.shape
    check.shape(y, "y", shape, "*shape, as in x.shape")
    _write("acme::add_", [x], [y])
    return x


def fake_positive(x: Tensor) -> Tensor:
    check = Checker("acme::positive")
    check.rank(x, "x", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    n = x.size(0)
    count = _new_size(n)
    return torch.empty((count,), dtype=torch.int64, device=x.device)


def fake_rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-06) -> Tensor:
    check = Checker("acme::rms_norm")
    check.argument(eps > 0, "eps", "eps > 0", {"eps": eps})
    check.rank_at_least(x, "x", 1, "[*batch, hidden]")
    check.rank(weight, "weight", 1, "[hidden]")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.same_dtype(weight, "weight", x, "x")
    check.same_device(weight, "weight", x, "x")
    batch = x.shape[:-1]
    hidden = x.size(-1)
    check.size(weight, "weight", 0, hidden, "hidden, as in x.size(-1)")
    return torch.empty((*batch, hidden), dtype=x.dtype, device=x.device)


def fake_scaled(
    x: Tensor,
    *,
    scale: float | None = None,
    mode: Literal["double", "half"] = "double",
    pad: Sequence[int] = (0, 0),
    dtype: torch.dtype | None = None,
) -> tuple[Tensor, Tensor]:
    check = Checker("acme::scaled")
    check.argument(mode in ("double", "half"), "mode", "mode in ('double', 'half')", {"mode": mode})
    check.rank(x, "x", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    n = x.size(0)
    low = torch.empty((n,), dtype=torch.float32, device=x.device)
    high = torch.empty((n,), dtype=torch.float64, device=x.device)
    return low, high


def fake_silu_and_mul(out: Tensor, x: Tensor) -> None:
    check = Checker("acme::silu_and_mul")
    check.rank_at_least(out, "out", 1, "[*batch, d]")
    check.rank_at_least(x, "x", 1, "[*batch, 2*d]")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.same_dtype(out, "out", x, "x")
    check.same_device(out, "out", x, "x")
    batch = x.shape[:-1]
    d = check.solve(x, "x", -1, "2*d with d >= 0", 2)
    check.size(out, "out", -1, d, "d")
    check.sizes(out, "out", 0, 1, batch, "*batch, as in x.shape[:-1]")
    check.contiguous(out, "out")
    _write("acme::silu_and_mul", [out], [x])


def fake_total(parts: Sequence[Tensor], bias: Tensor | None, start: float = 0.0) -> Tensor:
    check = Checker("acme::total")
    check.argument(len(parts) > 0, "parts", "len(parts) > 0", {"len(parts)": len(parts)})
    check.rank(parts, "parts", 1, "[n]")
    check.rank(bias, "bias", 1, "[n]")
    check.dtype(parts, "parts", torch.float32)
    check.dtype(bias, "bias", torch.float32)
    check.same_device(parts, "parts", parts, "parts")
    check.same_device(bias, "bias", parts, "parts")
    n = parts[0].size(0)
    check.size(parts, "parts", 0, n, "n, as in parts[0].size(0)")
    check.size(bias, "bias", 0, n, "n, as in parts[0].size(0)")
    return torch.empty((n,), dtype=torch.float32, device=parts[0].device)


# acme::version: not compilable: output 'out' has no contract, and `fake: module:function` is not given.


FAKES: dict[str, Callable[..., Any]] = {
    "acme::add.out": fake_add_out,
    "acme::add_": fake_add_,
    "acme::positive": fake_positive,
    "acme::rms_norm": fake_rms_norm,
    "acme::scaled": fake_scaled,
    "acme::silu_and_mul": fake_silu_and_mul,
    "acme::total": fake_total,
}

for _operator in DEFINED:
    register(_operator, FAKES.get(_operator.name))
