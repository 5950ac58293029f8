"""Measure the kernels of a library in the current folder: ``python expressions.py RUNS wall|processor whole|tiny``.

Prints a JSON object: microseconds of each call by line and side, all sides in turns, on two threads.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

sys.path.insert(0, "generated")

import bench_ops  # type: ignore[import-not-found]  # noqa: F401 - what is measured

ROWS = 4096
_ALPHA, _EPS = 0.5, 1e-5

Function = Callable[..., Tensor]


def silu_and_mul(x: Tensor) -> Tensor:
    """As it is written with ATen's operators."""
    first, second = x.chunk(2, dim=-1)
    return functional.silu(first) * second


def residual_gelu(x: Tensor, y: Tensor, alpha: float) -> Tensor:
    """As it is written with ATen's operators."""
    return functional.gelu(x * alpha + y, approximate="tanh")


def softmax(x: Tensor) -> Tensor:
    """As it is written with ATen's operators."""
    return torch.softmax(x, -1)


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """As it is written with ATen's operators."""
    return functional.rms_norm(x, weight.shape, weight, eps)


def lines(rows: int, dtype: torch.dtype) -> dict[str, tuple[Function, tuple[Any, ...]]]:
    """Return what is computed by each op: the same with ATen, and the arguments."""
    x, y = torch.randn(rows, rows, dtype=dtype), torch.randn(rows, rows, dtype=dtype)
    return {
        "silu_and_mul": (silu_and_mul, (torch.randn(rows, 2 * rows, dtype=dtype),)),
        "residual_gelu": (residual_gelu, (x, y, _ALPHA)),
        "softmax": (softmax, (x,)),
        "rms_norm": (rms_norm, (x, torch.randn(rows, dtype=dtype), _EPS)),
    }


def with_gaps(argument: Any) -> Any:
    """Return a tensor of the same elements, each with a gap behind it."""
    if not isinstance(argument, Tensor):
        return argument
    return torch.stack([argument, argument], dim=-1).flatten(-2)[..., ::2]


def main(runs: int, clock: Callable[[], float], *, tiny: bool) -> dict[str, dict[str, list[float]]]:
    """Measure all lines; a first turn is not counted."""
    torch.set_num_threads(2)
    found: dict[str, dict[str, list[float]]] = {}
    for dtype in (torch.float32, torch.bfloat16):
        for name, (function, arguments) in lines(8 if tiny else ROWS, dtype).items():
            ours = getattr(torch.ops.bench, name).default
            sides = {"ours": (ours, arguments), "ATen": (function, arguments)}
            if not tiny:
                sides["torch.compile"] = (torch.compile(function), arguments)
            gaps = tuple(map(with_gaps, arguments))
            line = f"{name}, {str(dtype).removeprefix('torch.')}"
            found[line] = in_turns(sides, runs, clock)
            found[f"{line}, strided"] = in_turns({"ours": (ours, arguments), "strided": (ours, gaps)}, runs, clock)
    return found


def in_turns(
    sides: dict[str, tuple[Function, tuple[Any, ...]]], runs: int, clock: Callable[[], float]
) -> dict[str, list[float]]:
    """Call all sides in turns, and return the microseconds of each call."""
    times: dict[str, list[float]] = {side: [] for side in sides}
    for turn in range(runs + 1):
        for side, (function, arguments) in sides.items():
            begin = clock()
            function(*arguments)
            if turn:
                times[side].append(1e6 * (clock() - begin))
    return times


if __name__ == "__main__":
    _, count, which, size = sys.argv
    chosen = time.process_time if which == "processor" else time.perf_counter
    sys.stdout.write(json.dumps(main(int(count), chosen, tiny=size == "tiny")) + "\n")
