"""Fake kernels: they check a call as the real ones do and give results without data."""

# mypy: disable-error-code="no-untyped-call"
# torch._check carries no annotations.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
    check.rank(x, "x", 1, "[n]")
    check.rank(y, "y", 1, "[n]")
    check.rank(out, "out", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    check.dtype(y, "y", torch.float32)
    check.dtype(out, "out", torch.float32)
    check.same_device(y, "y", x, "x")
    check.same_device(out, "out", x, "x")
    n = x.size(0)
    check.size(y, "y", 0, n, "n, as in x.size(0)")
    check.size(out, "out", 0, n, "n, as in x.size(0)")
    _write_out("add", [out], [x, y])
    return out


def fake_add_(x: Tensor, y: Tensor, len_: Tensor | None = None) -> Tensor:
    check = Checker("acme::add_")
    check.rank(x, "x", 1, "[n]")
    check.rank(y, "y", 1, "[n]")
    check.rank(len_, "len", 1, "[n]")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.dtype(len_, "len", torch.int64)
    check.same_dtype(y, "y", x, "x")
    check.same_device(y, "y", x, "x")
    check.same_device(len_, "len", x, "x")
    n = x.size(0)
    check.size(y, "y", 0, n, "n, as in x.size(0)")
    check.size(len_, "len", 0, n, "n, as in x.size(0)")
    _write("acme::add_", [x], [y, len_])
    return x


def fake_halve(x: Tensor) -> Tensor:
    check = Checker("acme::halve")
    check.rank(x, "x", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    n = x.size(0)
    return torch.empty((n,), dtype=torch.float32, device=x.device)


def fake_halve_(x: Tensor) -> Tensor:
    check = Checker("acme::halve_")
    check.rank(x, "x", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    _write("acme::halve_", [x], [])
    return x


def fake_lookup(table: Any, keys: Tensor) -> Tensor:
    check = Checker("acme::lookup")
    check.rank(keys, "keys", 1, "[n]")
    check.dtype(keys, "keys", torch.int64)
    n = keys.size(0)
    return torch.empty((n,), dtype=torch.float32, device=keys.device)


def fake_positive(x: Tensor) -> tuple[Tensor, Tensor]:
    check = Checker("acme::positive")
    check.rank(x, "x", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    n = x.size(0)
    found = _new_size(n)
    values = torch.empty((found,), dtype=torch.float32, device=x.device)
    places = torch.empty((found,), dtype=torch.int64, device=x.device)
    return values, places


def fake_scale(x: Tensor, by: float) -> Tensor:
    check = Checker("acme::scale")
    check.rank_at_least(x, "x", 1, "[*batch, n]")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    batch = x.shape[:-1]
    n = x.size(-1)
    return torch.empty((*batch, n), dtype=x.dtype, device=x.device)


# acme::twice: its composite kernel serves fake tensors too.


FAKES: dict[str, Callable[..., Any]] = {
    "acme::add.out": fake_add_out,
    "acme::add_": fake_add_,
    "acme::halve": fake_halve,
    "acme::halve_": fake_halve_,
    "acme::lookup": fake_lookup,
    "acme::positive": fake_positive,
    "acme::scale": fake_scale,
}

for _operator in DEFINED:
    register(_operator, FAKES.get(_operator.name))
