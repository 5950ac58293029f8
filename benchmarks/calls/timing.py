"""``python -m benchmarks.calls.timing BINARY``: time calls of the package that can be imported and of what is written by hand.

Prints JSON: line -> who makes the call -> microseconds.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import torch
from torch import Tensor

from opgen.build.bench.timing import in_turns, undisturbed

TURNS = 40
"""The figure is the median of so many; in each all makers are timed, so that a slow moment meets all alike."""
CALLS = 200
"""In a turn, at most."""


class Line(NamedTuple):
    """Calls of different makers, by maker, that do the same; `grad` says whether grad mode is on."""

    name: str
    calls: Mapping[str, Callable[[], Any]]
    grad: bool = True


@torch.library.custom_op("decorated::add", mutates_args=())
def add(x: Tensor, y: Tensor) -> Tensor:
    """Add, as `torch.library.custom_op` has it: the call of ATen inside is part of its price."""
    return x + y


@torch.library.custom_op("decorated::accumulate", mutates_args={"x"})
def accumulate(x: Tensor, y: Tensor) -> None:
    """Do the same in place."""
    x.add_(y)


def both_gradients(_ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
    """Return the gradients of a sum."""
    return grad, grad


def lines() -> Iterator[Line]:
    """Yield what is compared: entries of `torch.ops`, since a Python function in front would cost all the same."""
    ours, hand, decorated = torch.ops.bench, torch.ops.by_hand, torch.ops.decorated
    x, y, out, leaf = torch.ones(4), torch.zeros(4), torch.empty(4), torch.ones(4, requires_grad=True)
    functional = {"opgen": ours.add.default, "by hand": hand.add.default, "custom_op": decorated.add.default}
    yield Line("functional", {maker: partial(op, x, y) for maker, op in functional.items()})
    # There is no out= form of a custom_op, and none that returns what it writes.
    decorator = {"custom_op": partial(decorated.accumulate.default, x, y)}
    for mode, grad in (("no_grad", False), ("grad mode", True)):
        for form, name in (("in-place", "add_"), ("mutable", "accumulate")):
            ops = {"opgen": getattr(ours, name).default, "by hand": getattr(hand, name).default}
            calls = {maker: partial(op, x, y) for maker, op in ops.items()}
            yield Line(f"{form}, {mode}", calls | decorator, grad)
        calls = {"opgen": partial(ours.add.out, x, y, out=out), "by hand": partial(hand.add.out, x, y, out=out)}
        yield Line(f"out=, {mode}", calls | decorator, grad)
    torch.library.register_autograd("by_hand::recorded", both_gradients)
    recorded = {"opgen": ours.recorded.default, "register_autograd": hand.recorded.default}
    yield Line("formula, nothing requires grad", {maker: partial(op, x, y) for maker, op in recorded.items()})
    yield Line("formula, forward", {maker: partial(op, leaf, y) for maker, op in recorded.items()})
    ones = torch.ones(4)

    def there_and_back(op: Callable[..., Tensor]) -> object:
        return torch.autograd.grad(op(leaf, y), leaf, ones)

    calls = {maker: partial(there_and_back, op) for maker, op in recorded.items()}
    yield Line("formula, forward and backward", calls)


def measured(line: Line, turns: int, calls: int, timer: Callable[[], float]) -> dict[str, float]:
    """Return the figure of each maker, in microseconds a call."""
    with torch.set_grad_enabled(line.grad), undisturbed():
        return {maker: median(times) for maker, times in in_turns(line.calls, turns, calls, timer).items()}


def main() -> None:
    """Measure all lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="what is written by hand")
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--processor", action="store_true", help="count processor time")
    asked = parser.parse_args()
    importlib.import_module("bench_ops")
    torch.ops.load_library(asked.binary)  # type: ignore[no-untyped-call]  # torch has no types there
    torch.set_num_threads(1)
    timer = time.process_time if asked.processor else time.perf_counter
    found = {line.name: measured(line, asked.turns, asked.calls, timer) for line in lines()}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
