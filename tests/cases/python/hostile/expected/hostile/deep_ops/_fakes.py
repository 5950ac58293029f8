"""Fake kernels: they check a call as the real ones do and give results without data."""

# mypy: disable-error-code="no-untyped-call"
# torch._check carries no annotations.

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Literal

import torch
from torch import Tensor

from ._checks import _check_sizes, _text
from ._schemas import DEFINED
from ._tracing import register
from ._tracing import write as _write


def fake_Tensor(
    x: Tensor,
    torch__: int = 1,
    torch_: torch.dtype = torch.float32,
    float: Sequence[int] = (1, 1),
) -> Tensor:
    torch._check(
        len(float) >= 1,
        lambda: _text("hostile::Tensor: argument 'float': expected len(float) >= 1, got len(float) = ", len(float)),
    )
    torch._check(
        float[0] > 0,
        lambda: _text("hostile::Tensor: argument 'float': expected float[0] > 0, got float[0] = ", float[0]),
    )
    torch._check(
        torch_ in (torch.float32, torch.float64),
        lambda: _text("hostile::Tensor: argument 'torch': expected torch in (float32, float64), got torch = ", torch_),
    )
    torch._check(
        x.dim() == 1,
        lambda: _text(
            "hostile::Tensor: argument 'x': expected 1 dim [n], got a ",
            x.dim(),
            "-dim tensor of shape ",
            x.shape,
        ),
    )
    torch._check(
        x.dtype == torch.float32,
        lambda: _text("hostile::Tensor: argument 'x': expected float32, got ", x.dtype),
    )
    n = x.size(0)
    out = torch.empty((n,), dtype=torch_, device=x.device)
    return out


# hostile::_bare: not compilable: output 'out' has no contract, and `fake: module:function` is not given.


def fake_a_name_that_is_quite_long_so_that_nothing_fits_on_a_line(
    a_first_argument_with_a_name: Tensor,
    a_second_argument_with_a_name: Tensor,
    a_third_argument_with_a_name: int,
) -> Tensor:
    torch._check((a_third_argument_with_a_name > 0) & (a_third_argument_with_a_name % 16 == 0) | (a_third_argument_with_a_name == 8), lambda: _text("hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: argument 'a_third_argument_with_a_name': expected a_third_argument_with_a_name > 0 and a_third_argument_with_a_name % 16 == 0 or a_third_argument_with_a_name == 8, got a_third_argument_with_a_name = ", a_third_argument_with_a_name))  # fmt: skip
    torch._check(
        a_first_argument_with_a_name.dim() == 2,
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: argument 'a_first_argument_with_a_name': expected 2 dims [n, a_third_argument_with_a_name], got a ",
            a_first_argument_with_a_name.dim(),
            "-dim tensor of shape ",
            a_first_argument_with_a_name.shape,
        ),
    )
    torch._check(
        a_second_argument_with_a_name.dim() == 2,
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: argument 'a_second_argument_with_a_name': expected 2 dims [_, m], got a ",
            a_second_argument_with_a_name.dim(),
            "-dim tensor of shape ",
            a_second_argument_with_a_name.shape,
        ),
    )
    torch._check(
        a_first_argument_with_a_name.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64),
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: argument 'a_first_argument_with_a_name': expected float16, bfloat16, float32 or float64, got ",
            a_first_argument_with_a_name.dtype,
        ),
    )
    torch._check(
        a_second_argument_with_a_name.dtype == torch.float64,
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: argument 'a_second_argument_with_a_name': expected float64, got ",
            a_second_argument_with_a_name.dtype,
        ),
    )
    torch._check(
        a_second_argument_with_a_name.device == a_first_argument_with_a_name.device,
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: argument 'a_second_argument_with_a_name': expected a_first_argument_with_a_name.device (",
            a_first_argument_with_a_name.device,
            "), got ",
            a_second_argument_with_a_name.device,
        ),
    )
    n = a_first_argument_with_a_name.size(0)
    m = a_second_argument_with_a_name.size(1)
    torch._check(
        a_first_argument_with_a_name.size(1) == a_third_argument_with_a_name,
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: argument 'a_first_argument_with_a_name': expected size ",
            a_third_argument_with_a_name,
            " at dim 1 (a_third_argument_with_a_name), got ",
            a_first_argument_with_a_name.size(1),
        ),
    )
    torch._check(
        n * a_third_argument_with_a_name >= 0,
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: output 'out': expected a size >= 0 at dim 0, got n * a_third_argument_with_a_name = ",
            n * a_third_argument_with_a_name,
            " for n = a_first_argument_with_a_name.size(0) = ",
            n,
            ", a_third_argument_with_a_name = ",
            a_third_argument_with_a_name,
        ),
    )
    torch._check(
        a_third_argument_with_a_name != 0,
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: argument 'a_third_argument_with_a_name': expected a_third_argument_with_a_name != 0, got a_third_argument_with_a_name = ",
            a_third_argument_with_a_name,
        ),
    )
    torch._check(
        -(-m // a_third_argument_with_a_name) >= 0,
        lambda: _text(
            "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line: output 'out': expected a size >= 0 at dim 1, got ceil(m / a_third_argument_with_a_name) = ",
            -(-m // a_third_argument_with_a_name),
            " for m = a_second_argument_with_a_name.size(1) = ",
            m,
            ", a_third_argument_with_a_name = ",
            a_third_argument_with_a_name,
        ),
    )
    out = torch.empty(
        (n * a_third_argument_with_a_name, -(-m // a_third_argument_with_a_name)),
        dtype=torch.float32,
        device=a_first_argument_with_a_name.device,
    )
    return out


# hostile::bare: not compilable: output 'out' has no contract, and `fake: module:function` is not given.


# hostile::float: not compilable: output 'out' has no contract, and `fake: module:function` is not given.


def fake_lambda(await_: Tensor, **keywords: Any) -> Tensor:
    torch_ = keywords.get("torch", None)
    torch._check(
        await_.dim() == 1,
        lambda: _text(
            "hostile::lambda: argument 'await': expected 1 dim [n], got a ",
            await_.dim(),
            "-dim tensor of shape ",
            await_.shape,
        ),
    )
    if torch_ is not None:
        torch._check(
            torch_.dim() == 1,
            lambda: _text(
                "hostile::lambda: argument 'torch': expected 1 dim [m], got a ",
                torch_.dim(),
                "-dim tensor of shape ",
                torch_.shape,
            ),
        )
    torch._check(
        await_.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64),
        lambda: _text(
            "hostile::lambda: argument 'await': expected float16, bfloat16, float32 or float64, got ",
            await_.dtype,
        ),
    )
    if torch_ is not None:
        torch._check(
            torch_.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64),
            lambda: _text(
                "hostile::lambda: argument 'torch': expected float16, bfloat16, float32 or float64, got ",
                torch_.dtype,
            ),
        )
        torch._check(
            torch_.device == await_.device,
            lambda: _text(
                "hostile::lambda: argument 'torch': expected await.device (",
                await_.device,
                "), got ",
                torch_.device,
            ),
        )
    n = await_.size(0)
    out = torch.empty((n,), dtype=await_.dtype, device=await_.device)
    return out


# hostile::lambda.async: not compilable, on purpose (`fake: none`).


def fake_mutate(caches: Sequence[Tensor], state: Tensor | None, device: torch.device | str = "cpu") -> None:
    for index, element in enumerate(caches):
        torch._check(
            element.dim() >= 1,
            lambda: _text(
                "hostile::mutate: argument 'caches[",
                index,
                "]': expected at least 1 dim [blocks, *rest], got a ",
                element.dim(),
                "-dim tensor of shape ",
                element.shape,
            ),
        )
    if state is not None:
        torch._check(
            state.dim() == 1,
            lambda: _text(
                "hostile::mutate: argument 'state': expected 1 dim [blocks], got a ",
                state.dim(),
                "-dim tensor of shape ",
                state.shape,
            ),
        )
        torch._check(
            state.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64),
            lambda: _text(
                "hostile::mutate: argument 'state': expected float16, bfloat16, float32 or float64, got ",
                state.dtype,
            ),
        )
    for index, element in enumerate(caches):
        torch._check(
            element.dtype == caches[0].dtype,
            lambda: _text(
                "hostile::mutate: argument 'caches[",
                index,
                "]': expected caches.dtype (",
                caches[0].dtype,
                "), got ",
                element.dtype,
            ),
        )
        torch._check(
            element.device == caches[0].device,
            lambda: _text(
                "hostile::mutate: argument 'caches[",
                index,
                "]': expected caches.device (",
                caches[0].device,
                "), got ",
                element.device,
            ),
        )
    if state is not None:
        torch._check(
            state.device == caches[0].device,
            lambda: _text(
                "hostile::mutate: argument 'state': expected caches.device (",
                caches[0].device,
                "), got ",
                state.device,
            ),
        )
    torch._check(
        len(caches) >= 1,
        lambda: _text("hostile::mutate: argument 'caches': expected len(caches) >= 1, got len(caches) = ", len(caches)),
    )
    blocks = caches[0].size(0)
    rest = caches[0].shape[1:]
    for index, element in enumerate(caches):
        torch._check(
            element.size(0) == blocks,
            lambda: _text(
                "hostile::mutate: argument 'caches[",
                index,
                "]': expected size ",
                blocks,
                " at dim 0 (blocks, as in caches[0].size(0)), got ",
                element.size(0),
            ),
        )
        _check_sizes(
            element.shape[1:],
            rest,
            lambda: _text(
                "hostile::mutate: argument 'caches[",
                index,
                "]': expected sizes ",
                rest,
                " in dims [1:] (*rest, as in caches[0].shape[1:]), got ",
                element.shape[1:],
            ),
        )
    if state is not None:
        torch._check(
            state.size(0) == blocks,
            lambda: _text(
                "hostile::mutate: argument 'state': expected size ",
                blocks,
                " at dim 0 (blocks, as in caches[0].size(0)), got ",
                state.size(0),
            ),
        )
    _write("hostile::mutate", [caches, state], [])


def fake_words(
    x: Tensor,
    mode: Literal["plain", 'say "x"', 'it\'s "quoted"'] = 'it\'s "quoted"',
    kind: Literal["a"] | None = None,
) -> Any:
    torch._check(
        mode in ("plain", 'say "x"'),
        lambda: _text("hostile::words: argument 'mode': expected mode in ('plain', 'say \"x\"'), got mode = ", mode),
    )
    torch._check(
        kind in ("a", None),
        lambda: _text(
            "hostile::words: argument 'kind': say \"why\", please (expected kind in ('a', None), got kind = ",
            kind,
            ")",
        ),
    )
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
