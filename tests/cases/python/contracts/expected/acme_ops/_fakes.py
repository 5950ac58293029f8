"""Fake kernels: they check a call as the real ones do and give results without data."""

# mypy: disable-error-code="no-untyped-call"
# torch._check carries no annotations.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from ._checks import _check_sizes, _text
from ._schemas import DEFINED
from ._tracing import register
from ._tracing import write as _write
from ._tracing import write_out as _write_out


def fake_add_out(x: Tensor, y: Tensor, *, out: Tensor) -> Tensor:
    torch._check(
        x.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64),
        lambda: _text("acme::add.out: argument 'x': expected float16, bfloat16, float32 or float64, got ", x.dtype),
    )
    torch._check(
        y.dtype == x.dtype,
        lambda: _text("acme::add.out: argument 'y': expected x.dtype (", x.dtype, "), got ", y.dtype),
    )
    torch._check(
        out.dtype == x.dtype,
        lambda: _text("acme::add.out: argument 'out': expected x.dtype (", x.dtype, "), got ", out.dtype),
    )
    torch._check(
        y.device == x.device,
        lambda: _text("acme::add.out: argument 'y': expected x.device (", x.device, "), got ", y.device),
    )
    torch._check(
        out.device == x.device,
        lambda: _text("acme::add.out: argument 'out': expected x.device (", x.device, "), got ", out.device),
    )
    shape = x.shape
    _check_sizes(
        y.shape,
        shape,
        lambda: _text("acme::add.out: argument 'y': expected sizes ", shape, " (*shape, as in x.shape), got ", y.shape),
    )
    _check_sizes(
        out.shape,
        shape,
        lambda: _text(
            "acme::add.out: argument 'out': expected sizes ",
            shape,
            " (*shape, as in x.shape), got ",
            out.shape,
        ),
    )
    _write_out("add", [out], [x, y])
    return out


def fake_add_(x: Tensor, y: Tensor) -> Tensor:
    torch._check(
        x.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64),
        lambda: _text("acme::add_: argument 'x': expected float16, bfloat16, float32 or float64, got ", x.dtype),
    )
    torch._check(
        y.dtype == x.dtype,
        lambda: _text("acme::add_: argument 'y': expected x.dtype (", x.dtype, "), got ", y.dtype),
    )
    torch._check(
        y.device == x.device,
        lambda: _text("acme::add_: argument 'y': expected x.device (", x.device, "), got ", y.device),
    )
    shape = x.shape
    _check_sizes(
        y.shape,
        shape,
        lambda: _text("acme::add_: argument 'y': expected sizes ", shape, " (*shape, as in x.shape), got ", y.shape),
    )
    _write("acme::add_", [x], [y])
    return x


def fake_positive(x: Tensor) -> Tensor:
    torch._check(
        x.dim() == 1,
        lambda: _text(
            "acme::positive: argument 'x': expected 1 dim [n], got a ",
            x.dim(),
            "-dim tensor of shape ",
            x.shape,
        ),
    )
    torch._check(
        x.dtype == torch.float32,
        lambda: _text("acme::positive: argument 'x': expected float32, got ", x.dtype),
    )
    n = x.size(0)
    count = torch.library.get_ctx().new_dynamic_size()
    torch._check(count <= n)
    out = torch.empty((count,), dtype=torch.int64, device=x.device)
    return out


def fake_rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-06) -> Tensor:
    torch._check(eps > 0, lambda: _text("acme::rms_norm: argument 'eps': expected eps > 0, got eps = ", eps))
    torch._check(
        x.dim() >= 1,
        lambda: _text(
            "acme::rms_norm: argument 'x': expected at least 1 dim [*batch, hidden], got a ",
            x.dim(),
            "-dim tensor of shape ",
            x.shape,
        ),
    )
    torch._check(
        weight.dim() == 1,
        lambda: _text(
            "acme::rms_norm: argument 'weight': expected 1 dim [hidden], got a ",
            weight.dim(),
            "-dim tensor of shape ",
            weight.shape,
        ),
    )
    torch._check(
        x.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64),
        lambda: _text("acme::rms_norm: argument 'x': expected float16, bfloat16, float32 or float64, got ", x.dtype),
    )
    torch._check(
        weight.dtype == x.dtype,
        lambda: _text("acme::rms_norm: argument 'weight': expected x.dtype (", x.dtype, "), got ", weight.dtype),
    )
    torch._check(
        weight.device == x.device,
        lambda: _text("acme::rms_norm: argument 'weight': expected x.device (", x.device, "), got ", weight.device),
    )
    batch = x.shape[:-1]
    hidden = x.size(-1)
    torch._check(
        weight.size(0) == hidden,
        lambda: _text(
            "acme::rms_norm: argument 'weight': expected size ",
            hidden,
            " at dim 0 (hidden, as in x.size(-1)), got ",
            weight.size(0),
        ),
    )
    out = torch.empty((*batch, hidden), dtype=x.dtype, device=x.device)
    return out


def fake_scaled(
    x: Tensor,
    *,
    scale: float | None = None,
    mode: Literal["double", "half"] = "double",
    pad: Sequence[int] = (0, 0),
    dtype: torch.dtype | None = None,
) -> tuple[Tensor, Tensor]:
    torch._check(
        mode in ("double", "half"),
        lambda: _text("acme::scaled: argument 'mode': expected mode in ('double', 'half'), got mode = ", mode),
    )
    torch._check(
        x.dim() == 1,
        lambda: _text(
            "acme::scaled: argument 'x': expected 1 dim [n], got a ",
            x.dim(),
            "-dim tensor of shape ",
            x.shape,
        ),
    )
    torch._check(x.dtype == torch.float32, lambda: _text("acme::scaled: argument 'x': expected float32, got ", x.dtype))
    n = x.size(0)
    low = torch.empty((n,), dtype=torch.float32, device=x.device)
    high = torch.empty((n,), dtype=torch.float64, device=x.device)
    return low, high


def fake_silu_and_mul(out: Tensor, x: Tensor) -> None:
    torch._check(
        out.dim() >= 1,
        lambda: _text(
            "acme::silu_and_mul: argument 'out': expected at least 1 dim [*batch, d], got a ",
            out.dim(),
            "-dim tensor of shape ",
            out.shape,
        ),
    )
    torch._check(
        x.dim() >= 1,
        lambda: _text(
            "acme::silu_and_mul: argument 'x': expected at least 1 dim [*batch, 2*d], got a ",
            x.dim(),
            "-dim tensor of shape ",
            x.shape,
        ),
    )
    torch._check(
        x.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64),
        lambda: _text(
            "acme::silu_and_mul: argument 'x': expected float16, bfloat16, float32 or float64, got ",
            x.dtype,
        ),
    )
    torch._check(
        out.dtype == x.dtype,
        lambda: _text("acme::silu_and_mul: argument 'out': expected x.dtype (", x.dtype, "), got ", out.dtype),
    )
    torch._check(
        out.device == x.device,
        lambda: _text("acme::silu_and_mul: argument 'out': expected x.device (", x.device, "), got ", out.device),
    )
    batch = x.shape[:-1]
    torch._check(
        x.size(-1) % 2 == 0,
        lambda: _text("acme::silu_and_mul: argument 'x': expected a size 2*d with d >= 0 at dim -1, got ", x.size(-1)),
    )
    d = x.size(-1) // 2
    torch._check(
        out.size(-1) == d,
        lambda: _text("acme::silu_and_mul: argument 'out': expected size ", d, " at dim -1 (d), got ", out.size(-1)),
    )
    _check_sizes(
        out.shape[:-1],
        batch,
        lambda: _text(
            "acme::silu_and_mul: argument 'out': expected sizes ",
            batch,
            " in dims [:-1] (*batch, as in x.shape[:-1]), got ",
            out.shape[:-1],
        ),
    )
    torch._check(
        out.is_contiguous(),
        lambda: _text(
            "acme::silu_and_mul: argument 'out': expected a contiguous tensor, got strides ",
            out.stride(),
            " for shape ",
            out.shape,
        ),
    )
    _write("acme::silu_and_mul", [out], [x])


def fake_total(parts: Sequence[Tensor], bias: Tensor | None, start: float = 0.0) -> Tensor:
    torch._check(
        len(parts) > 0,
        lambda: _text("acme::total: argument 'parts': expected len(parts) > 0, got len(parts) = ", len(parts)),
    )
    for index, element in enumerate(parts):
        torch._check(
            element.dim() == 1,
            lambda: _text(
                "acme::total: argument 'parts[",
                index,
                "]': expected 1 dim [n], got a ",
                element.dim(),
                "-dim tensor of shape ",
                element.shape,
            ),
        )
    if bias is not None:
        torch._check(
            bias.dim() == 1,
            lambda: _text(
                "acme::total: argument 'bias': expected 1 dim [n], got a ",
                bias.dim(),
                "-dim tensor of shape ",
                bias.shape,
            ),
        )
    for index, element in enumerate(parts):
        torch._check(
            element.dtype == torch.float32,
            lambda: _text("acme::total: argument 'parts[", index, "]': expected float32, got ", element.dtype),
        )
    if bias is not None:
        torch._check(
            bias.dtype == torch.float32,
            lambda: _text("acme::total: argument 'bias': expected float32, got ", bias.dtype),
        )
    for index, element in enumerate(parts):
        torch._check(
            element.device == parts[0].device,
            lambda: _text(
                "acme::total: argument 'parts[",
                index,
                "]': expected parts.device (",
                parts[0].device,
                "), got ",
                element.device,
            ),
        )
    if bias is not None:
        torch._check(
            bias.device == parts[0].device,
            lambda: _text(
                "acme::total: argument 'bias': expected parts.device (",
                parts[0].device,
                "), got ",
                bias.device,
            ),
        )
    torch._check(
        len(parts) >= 1,
        lambda: _text("acme::total: argument 'parts': expected len(parts) >= 1, got len(parts) = ", len(parts)),
    )
    n = parts[0].size(0)
    for index, element in enumerate(parts):
        torch._check(
            element.size(0) == n,
            lambda: _text(
                "acme::total: argument 'parts[",
                index,
                "]': expected size ",
                n,
                " at dim 0 (n, as in parts[0].size(0)), got ",
                element.size(0),
            ),
        )
    if bias is not None:
        torch._check(
            bias.size(0) == n,
            lambda: _text(
                "acme::total: argument 'bias': expected size ",
                n,
                " at dim 0 (n, as in parts[0].size(0)), got ",
                bias.size(0),
            ),
        )
    out = torch.empty((n,), dtype=torch.float32, device=parts[0].device)
    return out


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
