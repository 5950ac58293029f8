"""Fake kernels: they check a call as the real ones do and give results without data."""

# mypy: disable-error-code="no-untyped-call"
# torch._check carries no annotations.

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Literal

import torch
from torch import Tensor

from ._checks import Checker
from ._schemas import DEFINED
from ._tracing import register
from ._tracing import write as _write


def fake_Tensor(
    x: Tensor,
    torch__: int = 1,
    torch_: torch.dtype = torch.float32,
    float: Sequence[int] = (1, 1),
) -> Tensor:
    check = Checker("hostile::Tensor")
    check.argument(len(float) >= 1, "float", "len(float) >= 1", {"len(float)": len(float)})
    check.argument(float[0] > 0, "float", "float[0] > 0", {"float[0]": float[0]})
    check.argument(torch_ in (torch.float32, torch.float64), "torch", "torch in (float32, float64)", {"torch": torch_})
    check.rank(x, "x", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    n = x.size(0)
    return torch.empty((n,), dtype=torch_, device=x.device)


# hostile::_bare: not compilable: output 'out' has no contract, and `fake: module:function` is not given.


def fake_a_name_that_is_quite_long_so_that_nothing_fits_on_a_line(
    a_first_argument_with_a_name: Tensor,
    a_second_argument_with_a_name: Tensor,
    a_third_argument_with_a_name: int,
) -> Tensor:
    check = Checker("hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line")
    check.argument(
        (a_third_argument_with_a_name > 0) & (a_third_argument_with_a_name % 16 == 0)
        | (a_third_argument_with_a_name == 8),
        "a_third_argument_with_a_name",
        "a_third_argument_with_a_name > 0 and a_third_argument_with_a_name % 16 == 0 or a_third_argument_with_a_name == 8",
        {"a_third_argument_with_a_name": a_third_argument_with_a_name},
    )
    check.rank(a_first_argument_with_a_name, "a_first_argument_with_a_name", 2, "[n, a_third_argument_with_a_name]")
    check.rank(a_second_argument_with_a_name, "a_second_argument_with_a_name", 2, "[_, m]")
    check.dtype(
        a_first_argument_with_a_name,
        "a_first_argument_with_a_name",
        torch.float16,
        torch.bfloat16,
        torch.float32,
        torch.float64,
    )
    check.dtype(a_second_argument_with_a_name, "a_second_argument_with_a_name", torch.float64)
    check.same_device(
        a_second_argument_with_a_name,
        "a_second_argument_with_a_name",
        a_first_argument_with_a_name,
        "a_first_argument_with_a_name",
    )
    n = a_first_argument_with_a_name.size(0)
    m = a_second_argument_with_a_name.size(1)
    check.size(
        a_first_argument_with_a_name,
        "a_first_argument_with_a_name",
        1,
        a_third_argument_with_a_name,
        "a_third_argument_with_a_name",
    )
    check.output_size(
        "out",
        0,
        check.mul(n, a_third_argument_with_a_name),
        "n * a_third_argument_with_a_name",
        {"n = a_first_argument_with_a_name.size(0)": n, "a_third_argument_with_a_name": a_third_argument_with_a_name},
    )
    check.argument(
        a_third_argument_with_a_name != 0,
        "a_third_argument_with_a_name",
        "a_third_argument_with_a_name != 0",
        {"a_third_argument_with_a_name": a_third_argument_with_a_name},
    )
    check.output_size(
        "out",
        1,
        -(-m // a_third_argument_with_a_name),
        "ceil(m / a_third_argument_with_a_name)",
        {"m = a_second_argument_with_a_name.size(1)": m, "a_third_argument_with_a_name": a_third_argument_with_a_name},
    )
    return torch.empty(
        (n * a_third_argument_with_a_name, -(-m // a_third_argument_with_a_name)),
        dtype=torch.float32,
        device=a_first_argument_with_a_name.device,
    )


# hostile::bare: not compilable: output 'out' has no contract, and `fake: module:function` is not given.


# hostile::float: not compilable: output 'out' has no contract, and `fake: module:function` is not given.


def fake_lambda(await_: Tensor, **keywords: Any) -> Tensor:
    torch_ = keywords.get("torch", None)
    check = Checker("hostile::lambda")
    check.rank(await_, "await", 1, "[n]")
    check.rank(torch_, "torch", 1, "[m]")
    check.dtype(await_, "await", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.dtype(torch_, "torch", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.same_device(torch_, "torch", await_, "await")
    n = await_.size(0)
    return torch.empty((n,), dtype=await_.dtype, device=await_.device)


# hostile::lambda.async: not compilable, on purpose (`fake: none`).


def fake_mutate(caches: Sequence[Tensor], state: Tensor | None, device: torch.device | str = "cpu") -> None:
    check = Checker("hostile::mutate")
    check.rank_at_least(caches, "caches", 1, "[blocks, *rest]")
    check.rank(state, "state", 1, "[blocks]")
    check.dtype(state, "state", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.same_dtype(caches, "caches", caches, "caches")
    check.same_device(caches, "caches", caches, "caches")
    check.same_device(state, "state", caches, "caches")
    check.argument(len(caches) >= 1, "caches", "len(caches) >= 1", {"len(caches)": len(caches)})
    blocks = caches[0].size(0)
    rest = caches[0].shape[1:]
    check.size(caches, "caches", 0, blocks, "blocks, as in caches[0].size(0)")
    check.sizes(caches, "caches", 1, 0, rest, "*rest, as in caches[0].shape[1:]")
    check.size(state, "state", 0, blocks, "blocks, as in caches[0].size(0)")
    _write("hostile::mutate", [caches, state], [])


def fake_words(
    x: Tensor,
    mode: Literal["plain", 'say "x"', 'it\'s "quoted"'] = 'it\'s "quoted"',
    kind: Literal["a"] | None = None,
) -> Any:
    check = Checker("hostile::words")
    check.argument(mode in ("plain", 'say "x"'), "mode", "mode in ('plain', 'say \"x\"')", {"mode": mode})
    check.argument(kind in ("a", None), "kind", "kind in ('a', None)", {"kind": kind}, 'say "why", please')
    return import_module("own.module").fake_words(x, mode, kind)


FAKES: dict[str, Callable[..., Any]] = {
    "hostile::Tensor": fake_Tensor,
    "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line": fake_a_name_that_is_quite_long_so_that_nothing_fits_on_a_line,
    "hostile::lambda": fake_lambda,
    "hostile::mutate": fake_mutate,
    "hostile::words": fake_words,
}

for _operator in DEFINED:
    register(_operator, FAKES.get(_operator.name))
